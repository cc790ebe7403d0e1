import { chmodSync, cpSync, globSync, lutimesSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureWebClient } from '../bin/build-web.mjs';
import { programGroups } from '../bin/bundle/program-groups.mjs';
import { writeBundle } from '../bin/bundle/write-bundle.mjs';
import { installPackages, type Arch } from './packages.ts';
import { runProgram } from './run-program.ts';
import { writeLicences } from './third-party.ts';

const root = join(import.meta.dirname, '..');

/** What a release has of the checkout, besides the built web client: files and folders, without tests. */
const shipped = [
  'CHANGELOG.md',
  'FEDERATION.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'bin/bootstrap.mjs',
  'bin/bundle/open-bundle.mjs',
  'bin/fieldfare.mjs',
  'bin/health.mjs',
  'deploy',
  'docs',
  'locales',
  'server',
  'web/src/composer/emoji-names/LICENSE',
  // Colours and the font of pages without scripts.
  'web/src/styles',
];

interface ReleaseManifest {
  readonly version: string;
  readonly scripts: { readonly start: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

export const readManifest = (): ReleaseManifest =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as ReleaseManifest;

/**
 * Builds the folder of a release: program, production packages, Node, PostgreSQL and the built web client. It runs from
 * wherever it is, and writes nothing into itself.
 */
export async function buildFolder(folder: string, arch: Arch): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await copyTrackedFiles(folder);
  if (!(await ensureWebClient())) throw new Error('the web client could not be built');
  cpSync(join(root, 'web/dist'), join(folder, 'web/dist'), { recursive: true });
  await installPackages(root, folder, arch);
  writeLicences(folder);
  writeStarters(folder);
  await setTimes(folder);
  const modules = join(folder, 'node_modules');
  const compiled = join(modules, '.cache/fieldfare');
  await writeBundle({
    root: folder,
    folder: compiled,
    installed: join(modules, '.package-lock.json'),
    groups: programGroups,
  });
}

/** Copies what git tracks: nothing that lies about in the checkout. */
async function copyTrackedFiles(folder: string): Promise<void> {
  const listed = await runProgram('git', ['ls-files', '-z', '--', ...shipped], { cwd: root });
  for (const file of listed.split('\0')) {
    if (file === '' || file.endsWith('.test.ts')) continue;
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
}

/** Writes the programs that people and containers start: they bring their Node. The server has the flags of `npm start`. */
function writeStarters(folder: string): void {
  const { start } = readManifest().scripts;
  const flags = (start.match(/--\S+/g) ?? []).join(' ');
  const settings = (start.match(/\b[A-Z_]+=\S+/g) ?? []).join(' ');
  const write = (name: string, purpose: string, command: string): void => {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\n# ${purpose}\nset -eu\nhere=$(dirname "$(readlink -f "$0")")\n${command} "$@"\n`);
    chmodSync(file, 0o755);
  };
  const node = '"$here/node_modules/.bin/node"';
  write(
    'fieldfare',
    'Runs Fieldfare: fieldfare serve, fieldfare help. Settings (.env) and data are in the working directory.',
    `export ${settings}\nexec ${node} ${flags} "$here/bin/fieldfare.mjs"`,
  );
  write(
    'fieldfare-health',
    'Asks the process of a role on this machine whether it serves.',
    `exec ${node} "$here/bin/health.mjs"`,
  );
}

/** Gives all files the time of the commit, so that the same commit makes the same release. */
async function setTimes(folder: string): Promise<void> {
  const seconds = Number(await runProgram('git', ['log', '-1', '--format=%ct'], { cwd: root }));
  for (const path of globSync('**', { cwd: folder })) lutimesSync(join(folder, path), seconds, seconds);
}
