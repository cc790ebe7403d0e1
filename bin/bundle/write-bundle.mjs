// Writes what open-bundle.mjs reads.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { replaceFolder } from '../replace-folder.mjs';
import { layout, openBundle, positionBytes, readList, stamp } from './open-bundle.mjs';

/** A running server imports files of its bundle later. So this many builds are kept, in folders that are used in turn. */
const keptBuilds = 3;
/** Larger than any column: the last position of a line counts. */
const lastColumn = 1e6;

/**
 * Bundles a program in `root` into a folder below `folder`, unless the bundle there is current by then. `groups` are lists of
 * modules: each list and what it imports become one file, as far as no list before it contains that; every other dynamic import
 * becomes a file of its own. The first module is the entry. Packages in CommonJS are imported from where they are. `installed`
 * is the path of a file that changes with the installed packages. If `folder` is in `root`, the whole may be moved.
 */
export async function writeBundle({ root, folder: named, installed, groups }) {
  mkdirSync(named, { recursive: true });
  // Modules know their own place without symbolic links.
  const folder = realpathSync(named);
  const stamps = new Map([join(root, 'package.json'), installed].map((file) => [file, stamp(file)]));
  const bundle = await rolldown({
    input: { entry: join(root, groups[0][0]) },
    platform: 'node',
    treeshake: false,
    logLevel: 'silent',
    plugins: [keepCommonJs(root), keepLocations(join(folder, 'build')), recordStamps(root, stamps)],
  });
  const { output } = await bundle.generate({
    dir: folder,
    sourcemap: true,
    // Node keeps the text of a file in memory, with two bytes for each character if one of them is not ASCII.
    comments: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    codeSplitting: { groups: [{ debugName: 'groups', name: nameGroups(root, groups) }] },
  });
  await bundle.close();
  const chunks = output.filter(({ type }) => type === 'chunk');
  // Another process that started at the same time may run it already.
  if (openBundle(root, folder) !== undefined) return;
  const build = chooseBuild(folder);
  writeBuild(join(folder, build), { root, folder, chunks });
  const list = {
    layout,
    node: process.version,
    place: relative(folder, root),
    build,
    inputs: Object.fromEntries([...stamps].map(([file, found]) => [relative(root, file), found])),
    chunks: Object.fromEntries(chunks.map(({ fileName }) => [fileName, statSync(join(folder, build, fileName)).size])),
  };
  const listFile = join(folder, 'bundle.json');
  writeFileSync(`${listFile}.${process.pid}`, JSON.stringify(list));
  renameSync(`${listFile}.${process.pid}`, listFile);
}

/** Imports packages in CommonJS, and whatever is not surely an ECMAScript module, from their own files. */
function keepCommonJs(root) {
  return {
    name: 'keep-common-js',
    async resolveId(specifier, importer, options) {
      if (specifier.startsWith('node:')) return { id: specifier, external: true };
      const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
      if (!found || found.external || isOwnFile(found.id, root) || isModule(found.id)) return found;
      return { id: pathToFileURL(found.id).href, external: true };
    },
  };
}

/** Lets modules find files beside them, by their place relative to the folder of the build. */
const keepLocations = (build) => ({
  name: 'keep-locations',
  transform(code, id) {
    if (!code.includes('import.meta.')) return undefined;
    const join = (path) =>
      `process.getBuiltinModule('node:path').join(import.meta.dirname, ${JSON.stringify(relative(build, path))})`;
    const locations = {
      'import.meta.dirname': join(dirname(id)),
      'import.meta.filename': join(id),
      'import.meta.url': `new URL(${JSON.stringify(relativeAddress(build, id))}, import.meta.url).href`,
    };
    const fixed = code.replaceAll(/import\.meta\.(?:dirname|filename|url)\b/g, (name) => locations[name]);
    return { code: fixed, map: null }; // The lines stay the same.
  },
});

/** Returns the address of a file relative to a module in a folder. */
const relativeAddress = (folder, file) => relative(folder, file).split('/').map(encodeURIComponent).join('/');

/** Records size and time of the program's own modules when they are read, so that a later change counts. */
const recordStamps = (root, stamps) => ({
  name: 'record-stamps',
  transform(_code, id) {
    if (isOwnFile(id, root)) stamps.set(id, stamp(id));
  },
});

/** Whether Node loads a file of a package as an ECMAScript module without looking at its contents. */
function isModule(file) {
  if (extname(file) !== '.js') return extname(file) === '.mjs';
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const description = join(folder, 'package.json');
    if (existsSync(description)) return JSON.parse(readFileSync(description, 'utf8')).type === 'module';
    if (folder === dirname(folder)) return false;
  }
}

function nameGroups(root, groups) {
  let reached;
  return (id, graph) => {
    reached ??= groups.map((group) =>
      findImported(
        group.map((file) => join(root, file)),
        graph,
      ),
    );
    const index = reached.findIndex((modules) => modules.has(id));
    return index === -1 ? null : `part-${index + 1}`;
  };
}

/** Returns the ids of modules and of all that they import, but not dynamically. */
function findImported(ids, graph, found = new Set()) {
  for (const id of ids) {
    if (found.has(id)) continue;
    found.add(id);
    findImported(graph.getModuleInfo(id)?.importedIds ?? [], graph, found);
  }
  return found;
}

function chooseBuild(folder) {
  let last = 0;
  try {
    last = Number(readList(folder).build.split('-')[1]);
  } catch {
    // The first.
  }
  return `build-${(last + 1) % keptBuilds}`;
}

function writeBuild(build, { root, folder, chunks }) {
  const sources = new Map();
  const path = `${build}.${process.pid}`;
  const [address, prefix] = [pathToFileURL(join(root, '/')).href, `${relativeAddress(build, root)}/`];
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  for (const { fileName, code, map } of chunks) {
    // Packages in CommonJS.
    writeFileSync(join(path, fileName), code.replaceAll(address, prefix));
    writeFileSync(join(path, `${fileName}.positions`), listPositions(code, map, sources));
  }
  const paths = [...sources.keys()].map((source) => relative(root, resolve(folder, source)));
  writeFileSync(join(path, 'sources.json'), JSON.stringify(paths));
  replaceFolder(path, build);
}

/** Returns index of the source and line in it for each line of a chunk. Adds to `sources` what is not in it yet. */
function listPositions(code, map, sources) {
  const lines = code.split('\n').length;
  const positions = Buffer.alloc(lines * positionBytes);
  if (!map) return positions;
  const sourceMap = new SourceMap(map);
  for (let line = 0; line < lines; line++) {
    const { originalSource, originalLine } = sourceMap.findEntry(line, lastColumn);
    if (originalSource === undefined) continue;
    if (!sources.has(originalSource)) sources.set(originalSource, sources.size);
    positions.writeUInt16LE(sources.get(originalSource), line * positionBytes);
    positions.writeUInt16LE(originalLine + 1, line * positionBytes + 2);
  }
  return positions;
}

function isOwnFile(id, root) {
  return id.startsWith(join(root, '/')) && !id.includes('/node_modules/');
}
