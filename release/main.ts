// npm run release: builds what people install, a folder that runs by itself, as an archive and a Debian package for each
// processor, with checksums, a list of its packages and their licences.
import { createHash } from 'node:crypto';
import { createReadStream, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { buildFolder, readManifest } from './build-folder.ts';
import { buildDebianPackage, debianFileName } from './debian-package.ts';
import { arches, type Arch } from './packages.ts';
import { runProgram } from './run-program.ts';
import { writeBillOfMaterials } from './third-party.ts';
import { tryFolder } from './try-folder.ts';

const usage = `Usage: npm run release -- [--arch x64|arm64 …] [--out FOLDER] [--folder-only]
  --arch         processor; may be repeated. Default: all
  --out          where to write (default: dist)
  --folder-only  make no archive and no Debian package (which needs dpkg-deb)
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      arch: { type: 'string', multiple: true, default: [...arches] },
      out: { type: 'string', default: 'dist' },
      'folder-only': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const unknown = values.arch.find((arch) => !isArch(arch));
  if (unknown !== undefined) throw new Error(`unknown processor ${unknown}: it is one of ${arches.join(', ')}`);
  const out = resolve(values.out);
  mkdirSync(out, { recursive: true });
  const files: string[] = [];
  for (const arch of values.arch.filter(isArch)) files.push(...(await release(out, arch, values['folder-only'])));
  if (files.length === 0) return;
  const lines = await Promise.all(files.map(async (file) => `${await hashFile(file)}  ${basename(file)}\n`));
  writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
}

const isArch = (text: string): text is Arch => (arches as readonly string[]).includes(text);

/** Returns the files that people download. */
async function release(out: string, arch: Arch, isFolderOnly: boolean): Promise<string[]> {
  const { version } = readManifest();
  const name = `fieldfare-${version}-linux-${arch}`;
  const folder = join(out, name);
  // Images are built from the folder of a processor, whatever its version.
  for (const old of globSync(`fieldfare-*-linux-${arch}`, { cwd: out }))
    rmSync(join(out, old), { recursive: true, force: true });
  print(`Building ${folder}`);
  await buildFolder(folder, arch);
  if (process.platform === 'linux' && process.arch === arch) {
    print('Starting it once');
    await tryFolder(folder);
  } else print(`Not started: this machine is no linux-${arch}`);
  if (isFolderOnly) return [];
  const [archive, bill] = [join(out, `${name}.tar.gz`), join(out, `${name}.cdx.json`)];
  print(`Writing ${archive}`);
  const nobody = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner'];
  await runProgram('tar', ['--create', '--gzip', `--file=${archive}`, ...nobody, '--directory', out, name]);
  await writeBillOfMaterials(folder, bill);
  const deb = join(out, debianFileName(version, arch));
  print(`Writing ${deb}`);
  await buildDebianPackage({ folder, arch, version, file: deb, compression: 'xz' });
  return [archive, bill, deb];
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

await main().catch((error: unknown) => {
  process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
