import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { literalText, parse } from './syntax.ts';

/**
 * The folders of web/src from the lowest to the highest. A file imports statically only from its own folder and lower
 * ones, and enters a feature by an `index.ts`. Files of web/src itself combine the features: they import from any, and
 * `routes.tsx`. `web/src/lazy-page.ts` and `navigate.ts` are the exceptions that everything may import.
 */
export const webLayers = [
  'i18n',
  'api',
  'session',
  'store',
  'ui',
  'unread',
  'offline',
  'layout',
  'status',
  'timeline',
  'bookmarks',
  'catch-up',
  'people',
  'lists',
  'collections',
  'directory',
  'profile',
  'composer',
  'thread',
  'notifications',
  'search',
  'explore',
  'welcome',
  'announcements',
  'conversations',
  'deck',
  'peek',
  'shortcuts',
  'preferences',
  'moderation',
  'palette',
] as const;

/** Folders that are no features: any higher folder imports their files directly. */
const foundations = new Set(['i18n', 'api', 'session', 'store', 'ui', 'styles']);

/** Lists that lower folders import, with the reason. */
const openedFromBelow: ReadonlyMap<string, string> = new Map([
  ['composer/index.ts', 'opens the composer, which it loads then'],
  ['people/dialogs/index.ts', 'opens dialogs about people and posts, which it loads then'],
]);

/** Files of web/src that every folder may import. */
const shared = new Set(['lazy-page.ts', 'navigate.ts']);

/** Files of the server that the client shares, with the reason. They are pure and import no module of Node. */
export const sharedWithServer: ReadonlyMap<string, string> = new Map([
  ['server/users/access/permission-bits.ts', 'client and server test the same permissions'],
  ['server/platform/i18n/fill-text.ts', 'client and server fill texts in the same way'],
  ['locales/keys.d.ts', 'has the keys of texts, as types'],
  ['server/text/count-characters.ts', 'client and server count the characters of a post in the same way'],
]);

/** The only file that imports the types of the server's schemas: by `import type`, so that the build erases them. */
const entitiesFile = 'api/entities.ts';
const isSchema = (file: string): boolean => /^server\/(?:.+\/schema|platform\/ids)\.ts$/.test(file);

/** Returns the import violations of a file below web/src, whose path is relative to it. */
export function webImportViolations(path: string, text: string): string[] {
  const source = parse(`web/src/${path}`, text);
  return source.nodes.flatMap((node) => {
    const isStatic =
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportNamedDeclaration' ||
      node.type === 'ExportAllDeclaration';
    const isImport = isStatic || node.type === 'ImportExpression' || node.type === 'TSImportType';
    const isType = node.type === 'ImportDeclaration' && node.importKind === 'type';
    const specifier = isImport ? literalText(node.source) : undefined;
    const problem = specifier === undefined ? undefined : findProblem(path, specifier, { isStatic, isType });
    return problem === undefined ? [] : [`web/src/${path}:${source.lineOf(node)}: ${problem}`];
  });
}

/** Returns the files below web/src that a file loads at once: itself and what it imports, directly or not. */
export function loadedWith(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  const { nodes } = parse(`web/src/${path}`, readFileSync(`web/src/${path}`, 'utf8'));
  for (const node of nodes) {
    if (!('source' in node) || node.type === 'ImportExpression') continue;
    const isType =
      (node.type === 'ImportDeclaration' && node.importKind === 'type') ||
      (node.type === 'ExportNamedDeclaration' && node.exportKind === 'type');
    const file = posix.join(posix.dirname(path), literalText(node.source) ?? '');
    if (!isType && /^[^.].*\.tsx?$/.test(file) && literalText(node.source)?.startsWith('.') === true)
      loadedWith(file, found);
  }
  return found;
}

interface ImportKind {
  readonly isStatic: boolean;
  readonly isType: boolean;
}

function findProblem(path: string, specifier: string, { isStatic, isType }: ImportKind): string | undefined {
  if (specifier.startsWith('node:')) return `${specifier} does not exist in browsers`;
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join('web/src', posix.dirname(path), specifier);
  if (path === entitiesFile && isType && isSchema(target)) return undefined;
  if (!target.startsWith('web/src/'))
    return sharedWithServer.has(target) ? undefined : `the client may not import ${target}`;
  const file = target.slice('web/src/'.length);
  const [from, to] = [folderOf(path), folderOf(file)];
  if (from === to) return isFeatureList(file) ? `import the file itself, not ${file} of its own feature` : undefined;
  if (shared.has(file)) return undefined;
  if (to === '') return `${from} may not import ${file}, which combines the features`;
  if (!foundations.has(to) && !isFeatureList(file) && !(from === '' && file === `${to}/routes.tsx`))
    return `import ${to}/index.ts or the index.ts of a topic folder of ${to}, not ${file}`;
  if (!isStatic || from === '' || openedFromBelow.has(file)) return undefined;
  return levelOf(to) > levelOf(from) ? `${from} may not import ${to}, which is above it` : undefined;
}

/** Whether a file below web/src is the list of what a feature, or a topic folder of it, offers to others. */
export const isFeatureList = (file: string): boolean =>
  /^[^/]+\/(?:[^/]+\/)?index\.ts$/.test(file) && !foundations.has(folderOf(file));

const folderOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '');

function levelOf(folder: string): number {
  const level = webLayers.findIndex((layer) => layer === folder);
  if (level === -1) throw new Error(`web/src/${folder} is missing in webLayers of test/architecture/web-imports.ts`);
  return level;
}
