// The modules of the program in one file: their sources without types, and what their imports resolve to. Node spends
// more time on finding and reading 1,800 files than on running them.
import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const moduleFormats = new Set(['module', 'module-typescript']);
/** Change it with the layout of the file. */
const layout = 2;

/**
 * Records every module that this process imports from now on. Returns a function that writes the pack. Packages are
 * checked by the file `installed`, the program's own modules one by one.
 */
export function recordModules(root, installed) {
  const rootUrl = pathToFileURL(join(root, '/')).href;
  const sources = new Map();
  const imports = new Map();
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (isInside(context.parentURL, rootUrl) && isInside(found.url, rootUrl) && isImport(context))
        getOrAdd(imports, context.parentURL, () => new Map()).set(specifier, [found.url, found.format]);
      return found;
    },
    load(url, context, next) {
      const loaded = next(url, context);
      if (!isInside(url, rootUrl) || !moduleFormats.has(loaded.format)) return loaded;
      const text = Buffer.from(loaded.source ?? '').toString();
      const source = loaded.format === 'module-typescript' ? nodeModule.stripTypeScriptTypes(text) : text;
      sources.set(url, source);
      // Compiled as it will be loaded, for the compile cache.
      return { format: 'module', source, shortCircuit: true };
    },
  });
  return (file) => writePack(file, { root, rootUrl, installed, sources, imports });
}

function writePack(file, { root, rootUrl, installed, sources, imports }) {
  const relative = (url) => url.slice(rootUrl.length);
  const own = [...sources.keys()].filter((url) => !url.includes('/node_modules/')).map((url) => fileURLToPath(url));
  const header = { layout, node: process.version, files: {}, modules: {}, others: {}, imports: {} };
  for (const path of [...own, installed, join(root, 'package.json')])
    header.files[path.slice(root.length)] = stamp(path);
  const parts = [];
  let offset = 0;
  for (const [url, source] of sources) {
    const bytes = Buffer.from(source);
    header.modules[relative(url)] = [offset, bytes.length];
    parts.push(bytes);
    offset += bytes.length;
  }
  for (const [parent, found] of imports) {
    const resolved = [...found].filter(([, [url, format]]) => sources.has(url) || typeof format === 'string');
    header.imports[relative(parent)] = Object.fromEntries(resolved.map(([name, [url]]) => [name, relative(url)]));
    for (const [, [url, format]] of resolved) if (!sources.has(url)) header.others[relative(url)] = format;
  }
  header.length = offset;
  const temporaryFile = `${file}.${process.pid}`;
  writeFileSync(temporaryFile, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]));
  renameSync(temporaryFile, file);
}

/** Opens a pack. Returns undefined if there is none or if a module, the packages or Node have changed since. */
export function openPack(root, file) {
  let descriptor;
  try {
    descriptor = openSync(file);
    const header = readHeader(descriptor);
    const isCurrent = ({ layout: written, node, start, length, files }) =>
      written === layout &&
      node === process.version &&
      fstatSync(descriptor).size === start + length &&
      Object.entries(files).every(([path, expected]) => stamp(root + path) === expected);
    if (isCurrent(header)) return { root, descriptor, ...header };
  } catch {
    // Missing or incomplete, or a module was deleted.
  }
  if (descriptor !== undefined) closeSync(descriptor);
  return undefined;
}

/**
 * Makes this process import modules from a pack. Its file stays open, so that modules that are imported later are of the
 * same version.
 */
export function usePack({ root, descriptor, start, modules, others, imports }) {
  const rootUrl = pathToFileURL(join(root, '/')).href;
  const relative = (url) => (isInside(url, rootUrl) ? url.slice(rootUrl.length) : undefined);
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const found = isImport(context) ? imports[relative(context.parentURL)]?.[specifier] : undefined;
      if (found === undefined) return next(specifier, context);
      return { url: rootUrl + found, format: others[found] ?? 'module', shortCircuit: true };
    },
    load(url, context, next) {
      const part = modules[relative(url)];
      if (part === undefined) return next(url, context);
      return { format: 'module', source: read(descriptor, start + part[0], part[1]).toString(), shortCircuit: true };
    },
  });
}

function readHeader(descriptor) {
  const content = readFileSync(descriptor);
  const end = content.indexOf('\n');
  return { ...JSON.parse(content.toString('utf8', 0, end)), start: end + 1 };
}

function read(descriptor, position, length) {
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(descriptor, bytes, 0, length, position) !== length) throw new Error('The module pack is incomplete');
  return bytes;
}

/** Size and time of a file. Container images keep times in seconds. */
function stamp(path) {
  const { size, mtimeMs } = statSync(path);
  return `${size} ${Math.floor(mtimeMs / 1000)}`;
}

function isInside(url, rootUrl) {
  return url?.startsWith(rootUrl) === true;
}

/** Whether a module is asked for by `import` and without attributes: `require` resolves by other rules. */
function isImport({ conditions, importAttributes }) {
  return conditions.includes('import') && Object.keys(importAttributes ?? {}).length === 0;
}

function getOrAdd(map, key, create) {
  if (!map.has(key)) map.set(key, create());
  return map.get(key);
}
