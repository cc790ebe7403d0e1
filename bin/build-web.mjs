// Builds the web client into web/dist if its sources changed since the last build, with a compressed copy of each file.
import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { root } from './bootstrap.mjs';

const webFolder = join(root, 'web');
const dist = join(webFolder, 'dist');
/** Contains the hash of the sources that were built. */
const sourcesFile = join(dist, '.sources');

const compressWithGzip = promisify(gzip);
const compressWithBrotli = promisify(brotliCompress);

/** Builds the client if necessary. Returns whether it is up to date: a failed build is printed, and the server runs without it. */
export async function ensureWebClient() {
  const sources = hashSources();
  if (sources === builtSources()) return true;
  const startedAt = Date.now();
  try {
    await buildClient();
    writeFileSync(sourcesFile, sources);
  } catch (error) {
    process.stderr.write(`The web client could not be built, so the server runs without it: ${error.message}\n`);
    return false;
  }
  process.stderr.write(`Built the web client in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.\n`);
  return true;
}

/** Returns a hash of everything that the build depends on. */
function hashSources() {
  const hash = createHash('sha256');
  const files = globSync('src/**/*', { cwd: webFolder, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  const inputs = [...files, join(webFolder, 'vite.config.ts'), join(webFolder, 'package.json')];
  for (const file of inputs.toSorted()) hash.update(`${file.slice(webFolder.length)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function builtSources() {
  try {
    return readFileSync(sourcesFile, 'utf8');
  } catch {
    return undefined;
  }
}

async function buildClient() {
  const { build } = await import('vite');
  rmSync(dist, { recursive: true, force: true });
  await build({ configFile: join(webFolder, 'vite.config.ts'), logLevel: 'error' });
  const files = globSync('**/*.{js,css,json,svg}', { cwd: dist });
  await Promise.all(files.map((file) => compress(join(dist, file))));
}

async function compress(file) {
  const content = readFileSync(file);
  const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  writeFileSync(`${file}.br`, await compressWithBrotli(content, brotliOptions));
  writeFileSync(`${file}.gz`, await compressWithGzip(content, { level: constants.Z_BEST_COMPRESSION }));
}

if (import.meta.main) process.exit((await ensureWebClient()) ? 0 : 1);
