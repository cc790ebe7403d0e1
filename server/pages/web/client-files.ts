import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { perApp, type App } from '../../platform/app.ts';
import { toError } from '../../platform/errors.ts';

/** A build of the web client. Paths are those of URLs on this server. */
export interface ClientBuild {
  /** The script that starts the client. */
  readonly script: string;
  /** The scripts that it imports before it starts. */
  readonly modules: readonly string[];
  readonly stylesheets: readonly string[];
  /** The script with the texts that every page needs, by language. */
  readonly texts: ReadonlyMap<string, string>;
  /** Names of all files, relative to the folder, with `/`. Some have compressed copies, named `….br` and `….gz`. */
  readonly files: ReadonlySet<string>;
}

/** A chunk in the manifest that Vite writes. */
interface ManifestChunk {
  readonly file: string;
  readonly css?: readonly string[];
  /** Keys of the chunks that it imports statically. */
  readonly imports?: readonly string[];
}

const entryKey = 'src/main.tsx';

interface LoadedBuild {
  /** Of the manifest, in milliseconds. */
  modifiedAt: number;
  build: ClientBuild | undefined;
}

const loadedBuild = perApp((): LoadedBuild => ({ modifiedAt: 0, build: undefined }));

/**
 * Returns the build in WEB_CLIENT_DIR; undefined if there is none. It is read again after its manifest changed, so that a
 * page never names files that a newer build replaced.
 */
export function findClientBuild(app: App): ClientBuild | undefined {
  const { webClientDir } = app.config;
  if (webClientDir === undefined) return undefined;
  const manifest = join(webClientDir, '.vite', 'manifest.json');
  const modifiedAt = statSync(manifest, { throwIfNoEntry: false })?.mtimeMs;
  if (modifiedAt === undefined) return undefined;
  const loaded = loadedBuild(app);
  if (loaded.modifiedAt !== modifiedAt) {
    loaded.build = readBuild(app, webClientDir, manifest);
    loaded.modifiedAt = modifiedAt;
  }
  return loaded.build;
}

function readBuild(app: App, folder: string, manifest: string): ClientBuild | undefined {
  try {
    const chunks: Record<string, ManifestChunk> = JSON.parse(readFileSync(manifest, 'utf8'));
    const entry = chunks[entryKey];
    if (entry === undefined) throw new Error(`it has no ${entryKey}`);
    const imported = [...importedChunks(chunks, entry)];
    return {
      script: urlOf(entry.file),
      modules: imported.map(({ file }) => urlOf(file)),
      stylesheets: [...new Set([...imported, entry].flatMap(({ css }) => css ?? []))].map(urlOf),
      texts: findTexts(chunks),
      files: listFiles(folder),
    };
  } catch (error) {
    app.log.error({ err: error, manifest }, 'the build of the web client cannot be read: build it again');
    return undefined;
  }
}

/** Returns what a chunk imports, directly or not. Of chunks that import each other, each is returned once. */
function importedChunks(
  chunks: Record<string, ManifestChunk>,
  { imports = [] }: ManifestChunk,
  found = new Set<ManifestChunk>(),
): Set<ManifestChunk> {
  for (const key of imports) {
    const chunk = chunks[key];
    if (chunk === undefined || found.has(chunk)) continue;
    found.add(chunk);
    importedChunks(chunks, chunk, found);
  }
  return found;
}

/** Returns the scripts with the first texts by language. */
function findTexts(chunks: Record<string, ManifestChunk>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [key, { file }] of Object.entries(chunks)) {
    const language = /^\.\.\/locales\/(\w+)\/client\/core\.json$/.exec(key)?.[1];
    if (language !== undefined) texts.set(language, urlOf(file));
  }
  return texts;
}

const urlOf = (file: string): string => `/web/${file}`;

function listFiles(folder: string): Set<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Set(
    entries.map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    ),
  );
}

/** A file of the client, perhaps compressed. */
interface ClientFile {
  readonly bytes: Buffer;
  readonly encoding: 'br' | 'gzip' | undefined;
}

/**
 * Reads a file of a build by its name, in the smallest form that the client accepts. Undefined if the build has no such
 * file, so a name can never lead out of the folder.
 */
export async function readClientFile(
  app: App,
  name: string,
  acceptedEncodings: readonly string[],
): Promise<ClientFile | undefined> {
  const { webClientDir } = app.config;
  const build = findClientBuild(app);
  if (webClientDir === undefined || build?.files.has(name) !== true) return undefined;
  const { encoding, suffix } =
    compressedCopies.find((copy) => acceptedEncodings.includes(copy.encoding) && build.files.has(name + copy.suffix)) ??
    original;
  try {
    return { bytes: await readFile(join(webClientDir, name + suffix)), encoding };
  } catch (error) {
    // A newer build is being written.
    if (toError(error).code === 'ENOENT') return undefined;
    throw error;
  }
}

const compressedCopies = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;
const original = { encoding: undefined, suffix: '' };
