// The program in a few files, for `npm start` and the command line. Node spends more time on finding and linking 1,800 modules
// than on running them, and keeps 25 MB for them.
import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Change it with the meaning of the files that `writeBundle` makes. */
export const layout = 2;
/** Bytes of an entry in a file of positions: index of the source and line in it, as unsigned 16-bit integers. */
export const positionBytes = 4;

/** Returns the list of what is in the bundle in `folder`. Throws if there is none. */
export function readList(folder) {
  return JSON.parse(readFileSync(join(folder, 'bundle.json'), 'utf8'));
}

/** Returns the bundle in `folder`. Undefined if there is none, or if a module, the packages or Node have changed since. */
export function openBundle(root, folder) {
  try {
    const list = readList(folder);
    const place = realpathSync(folder);
    const build = join(place, list.build);
    const isCurrent =
      list.layout === layout &&
      list.node === process.version &&
      list.place === relative(place, root) &&
      Object.entries(list.inputs).every(([path, expected]) => stamp(join(root, path)) === expected) &&
      Object.entries(list.chunks).every(([name, size]) => statSync(join(build, name)).size === size);
    if (isCurrent) return { root, build };
  } catch {
    // Missing or incomplete, or a module was deleted.
  }
  return undefined;
}

/** Imports the entry of a bundle. Stacks of errors name files and lines of the sources from then on. */
export async function importBundle({ root, build }) {
  const folder = pathToFileURL(join(build, '/')).href;
  Error.prepareStackTrace = (error, sites) => {
    const lines = sites.map((site) => `\n    at ${describeSite(site, { root, build, folder })}`);
    return `${Error.prototype.toString.call(error)}${lines.join('')}`;
  };
  return import(`${folder}entry.mjs`);
}

/** Size and time of a file. Container images keep times in seconds. */
export function stamp(file) {
  const { size, mtimeMs } = statSync(file);
  return `${size} ${Math.floor(mtimeMs / 1000)}`;
}

/** Sources of lines that were looked up: Node reads the stack of every socket that ends with an error. */
const knownSources = new Map();

function describeSite(site, { root, build, folder }) {
  const text = String(site);
  const file = site.getFileName();
  if (!file?.startsWith(folder)) return text;
  const place = `${file}:${site.getLineNumber()}`;
  if (!knownSources.has(place))
    knownSources.set(place, findSource(build, file.slice(folder.length), site.getLineNumber()));
  const source = knownSources.get(place);
  return source === undefined
    ? text
    : text.replace(`${place}:${site.getColumnNumber()}`, pathToFileURL(join(root, source)).href);
}

/** Returns path and line of the source of a line, counted from 1, of a chunk, from disk. */
function findSource(build, chunk, line) {
  try {
    const entry = Buffer.alloc(positionBytes);
    const file = openSync(join(build, `${chunk}.positions`));
    try {
      if (readSync(file, entry, 0, positionBytes, (line - 1) * positionBytes) !== positionBytes) return undefined;
    } finally {
      closeSync(file);
    }
    const sources = JSON.parse(readFileSync(join(build, 'sources.json'), 'utf8'));
    return `${sources[entry.readUInt16LE(0)]}:${entry.readUInt16LE(2)}`;
  } catch {
    return undefined; // Deleted by later builds.
  }
}
