// Builds the web client into web/dist if its sources changed since the last build, with a compressed copy of each file.
import { createHash, randomUUID } from 'node:crypto';
import {
  accessSync,
  constants as access,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { root } from './bootstrap.mjs';
import { replaceFolder } from './replace-folder.mjs';

const webFolder = join(root, 'web');
/** What the client shares with the server: it counts characters and tests permissions in the same way. */
const sharedFiles = [
  'server/text/{*.ts,format/*.ts}',
  'server/users/access/permission-bits.ts',
  'server/platform/known-names.ts',
  'server/platform/i18n/*.ts',
  'locales/*/client/*.json',
];
const dist = join(webFolder, 'dist');
/** Contains the hash of the sources that were built. */
const sourcesFile = '.sources';

const compressWithGzip = promisify(gzip);
const compressWithBrotli = promisify(brotliCompress);

/** Whether the client was built from the sources as they are. */
export function isWebClientBuilt() {
  return hashSources() === builtSources();
}

/** Returns the path of a new folder for a build that is not finished. */
export const newBuildFolder = () => `${dist}-${randomUUID()}`;

/**
 * Builds the client if necessary, in `folder`, which then replaces the old build. Returns whether it is up to date. Prints why
 * if not; an older build stays.
 */
export async function ensureWebClient(folder = newBuildFolder()) {
  const sources = hashSources();
  if (sources === builtSources()) return true;
  const startedAt = Date.now();
  try {
    accessSync(webFolder, access.W_OK);
    await buildClient(sources, folder);
  } catch (error) {
    // Another process built the same sources meanwhile.
    if (sources === builtSources()) return true;
    const effect = existsSync(dist) ? 'an older build is used' : 'the server runs without it';
    process.stderr.write(`The web client could not be built, so ${effect}: ${error.message}\n`);
    return false;
  }
  process.stderr.write(`Built the web client in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.\n`);
  return true;
}

/** Returns a hash of everything that the build depends on. */
function hashSources() {
  const hash = createHash('sha256');
  // With a pattern it takes ten times as long, which delays each start.
  const files = readdirSync(join(webFolder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  const others = ['compile-texts.ts', 'vite.config.ts', 'vite.service-worker.config.ts', 'package.json'];
  const shared = globSync(sharedFiles, { cwd: root }).map((file) => join(root, file));
  const inputs = [...files, ...shared, ...others.map((file) => join(webFolder, file))];
  for (const file of inputs.toSorted()) hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function builtSources() {
  try {
    return readFileSync(join(dist, sourcesFile), 'utf8');
  } catch {
    return undefined;
  }
}

/** Builds into a folder of its own, which then replaces the old build: a running server never sees half of one. */
async function buildClient(sources, outDir) {
  const { build } = await import('vite');
  const run = (config, define = {}) =>
    build({ configFile: join(webFolder, config), logLevel: 'error', define, build: { outDir } });
  try {
    await run('vite.config.ts');
    await run('vite.service-worker.config.ts', { CLIENT_BUILD: JSON.stringify(describeBuild(outDir)) });
    const files = globSync('**/*.{js,css,json,svg}', { cwd: outDir });
    await Promise.all(files.map((file) => compress(join(outDir, file))));
    writeFileSync(join(outDir, sourcesFile), sources);
    replaceFolder(outDir, dist);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** What works without a connection besides home, also where it was never opened: writing a post. */
const offlineEntries = [
  'src/composer/composer.tsx',
  'src/composer/composer-dialog.tsx',
  'src/composer/publish-page.tsx',
  '../locales/en/client/composer.json',
];

/** Returns what the service worker keeps: the files with which home and the composer open, in English if there is nothing else. */
function describeBuild(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'));
  const home = findHomeChunks(manifest);
  const chunks = [...new Set([...home, ...findHomeChunks(manifest, offlineEntries)])];
  const files = chunks.flatMap(({ file, css = [] }) => [file, ...css]).map((file) => `/web/${file}`);
  const version = createHash('sha256')
    .update(
      Object.keys(manifest)
        .map((key) => manifest[key].file)
        .join(),
    )
    .digest('hex');
  return { version: version.slice(0, 12), script: `/web/${manifest['src/main.tsx'].file}`, files: [...new Set(files)] };
}

/** Returns the chunks of a manifest that home loads: the entry, what it imports, and the English texts of every page. */
export function findHomeChunks(manifest, keys = ['src/main.tsx', '../locales/en/client/core.json'], found = new Map()) {
  for (const key of keys) {
    if (found.has(key)) continue;
    found.set(key, manifest[key]);
    findHomeChunks(manifest, manifest[key].imports ?? [], found);
  }
  return [...found.values()];
}

async function compress(file) {
  const content = readFileSync(file);
  const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  writeFileSync(`${file}.br`, await compressWithBrotli(content, brotliOptions));
  writeFileSync(`${file}.gz`, await compressWithGzip(content, { level: constants.Z_BEST_COMPRESSION }));
}

// Its argument is the folder, which the caller deletes if this process is killed.
if (import.meta.main) process.exit((await ensureWebClient(process.argv[2])) ? 0 : 1);
