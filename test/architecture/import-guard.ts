import { isBuiltin } from 'node:module';
import { barrelDomain } from './barrels.ts';
import { domainOf, isAbove } from './layers.ts';
import { literalText, parse, propertyName, unwrap, type Node, type Source } from './syntax.ts';

/** Combines the domains; only the command line may import it. */
const composition = new Set(['server/app.ts', 'server/main.ts']);

/** Types that are made from the English texts. */
const textKeys = 'locales/keys.d.ts';

/** Files that use `import.meta` or a loader, with the reason why they load nothing from a higher layer. */
export const loaders: ReadonlyMap<string, string> = new Map([
  ['server/text/sanitize-html.ts', 'requires a package at first use'],
  ['server/text/format/parse-markdown.ts', 'requires a package at first use'],
  ['server/text/languages/detect-language.ts', 'requires one file of a package'],
  ['server/text/languages/write-ngrams.ts', 'requires one file of a package, to write another form of it'],
  ['server/platform/valkey.ts', 'requires a package at first use'],
  ['server/platform/outgoing/bulk-requests.ts', 'starts a thread with a file of its own folder'],
  ['server/platform/outgoing/bulk-thread.ts', 'is a thread'],
  ['server/platform/database/embedded/programs.ts', 'looks for node_modules'],
  ['server/platform/database/migrations.ts', 'lists the migrations'],
  ['server/platform/i18n/catalogue.ts', 'reads the texts in locales/'],
  ['server/platform/documentation/documentation-routes.ts', 'reads files of its own folder'],
  ['server/media/bundled-images.ts', 'reads images of server/assets'],
  ['server/assets/draw.ts', 'writes images of its own folder'],
  ['server/pages/render/layout.ts', 'reads the style sheet of its own folder'],
  ['server/cli/command-config.ts', 'finds the root of the checkout'],
  ['server/cli/serve/collect-startup-garbage.ts', 'runs the garbage collector'],
  ['server/cli/configuration-document.ts', 'checks whether it is the main file'],
  ['server/cli/list-routes.ts', 'checks whether it is the main file'],
]);

/** What a schema.ts may import beside others of its kind. */
const schemaTools = new Set([
  'server/platform/http/entity.ts',
  'server/platform/id-schema.ts',
  'server/platform/ids.ts',
]);

/** Modules that can load or run code without this guard noticing. */
const loaderModules = new Set(['module', 'vm', 'worker_threads', 'cluster', 'repl', 'inspector']);
const loaderNames = new Set(['require', 'createRequire', 'getBuiltinModule', 'mainModule', 'Function', 'eval']);

/** Names the tables of all domains, and writes none. */
const sharedTables = 'server/platform/database/tables.ts';

/** Returns the import violations of a file: each line names the file, the line and the rule. */
export function importViolations(path: string, text: string, allowed: ReadonlyMap<string, string> = loaders): string[] {
  const source = parse(path, text);
  const isAllowed = allowed.has(path);
  if (/^\s*\/\/\/\s*<reference\s/m.test(text))
    return [`${path}: a reference directive names a file past the list of layers`];
  return source.nodes.flatMap((node) => {
    const isMeta = node.type === 'MetaProperty' && node.meta.name === 'import';
    const found = isMeta ? metaViolations(source, node, isAllowed) : violationsOf(source, node, isAllowed);
    return found.map((message) => `${path}:${source.lineOf(node)}: ${message}`);
  });
}

function violationsOf(source: Source, node: Node, isAllowed: boolean): string[] {
  switch (node.type) {
    case 'ImportDeclaration':
      return targetViolations(source.path, node.source.value, isAllowed);
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      if (!node.source) return [];
      return targetViolations(source.path, node.source.value, isAllowed);
    case 'TSImportType':
      return targetViolations(source.path, node.source.value, isAllowed);
    case 'TSExternalModuleReference':
      return targetViolations(source.path, node.expression.value, isAllowed);
    case 'TSModuleDeclaration':
      return node.id.type === 'Literal' ? targetViolations(source.path, node.id.value, isAllowed) : [];
    case 'ImportExpression': {
      const specifier = literalText(unwrap(node.source));
      if (specifier === undefined) return ['the specifier of a dynamic import is not a literal'];
      return targetViolations(source.path, specifier, isAllowed);
    }
    case 'CallExpression':
    case 'NewExpression':
      return callViolations(source, node, isAllowed);
    default:
      return isAllowed ? [] : loaderViolations(source, node);
  }
}

/** Ways to load code that only the files in `loaders` may use. */
function loaderViolations(source: Source, node: Node): string[] {
  switch (node.type) {
    case 'Identifier':
      return isLoaderName(source, node) ? [`${node.name} can load code past the list of layers`] : [];
    case 'Literal':
      if (typeof node.value !== 'string' || !loaderNames.has(node.value)) return [];
      return [`${node.value} can load code past the list of layers`];
    default:
      return [];
  }
}

/** An identifier that refers to a loader, rather than a member or key of the same name. */
function isLoaderName(source: Source, node: Node & { type: 'Identifier' }): boolean {
  if (!loaderNames.has(node.name)) return false;
  const parent = source.parentOf(node);
  if (parent === undefined) return true;
  if (node.name === 'require') return parent.type !== 'Property' || parent.value === node;
  if (node.name === 'eval') {
    const isOther =
      (parent.type === 'MemberExpression' && parent.property === node && !isGlobal(parent.object)) ||
      parent.type === 'TSMethodSignature';
    return !isOther;
  }
  return !parent.type.startsWith('TS');
}

const isGlobal = (node: Node): boolean =>
  node.type === 'Identifier' && ['globalThis', 'global', 'self', 'module'].includes(node.name);

/** `import.meta` may only be the base of `new URL('literal', import.meta.url)` and `import.meta.resolve('literal')`. */
function metaViolations(source: Source, node: Node, isAllowed: boolean): string[] {
  const member = source.parentOf(node);
  const use = member === undefined ? undefined : source.parentOf(member);
  const name = member === undefined ? undefined : propertyName(member);
  if (name === 'url' && use?.type === 'NewExpression' && use.arguments[1] === member) {
    const specifier = literalText(use.arguments[0]);
    if (specifier !== undefined) return fileViolations(source.path, specifier, isAllowed);
  }
  if (name === 'resolve' && use?.type === 'CallExpression' && use.callee === member) {
    const specifier = literalText(use.arguments[0]);
    if (specifier !== undefined) return targetViolations(source.path, specifier, isAllowed);
  }
  return isAllowed ? [] : ['import.meta can reach any file: use it in new URL or import.meta.resolve with a literal'];
}

/** `require('./x')` in a file that may use it, and code that starts in another thread or process. */
function callViolations(
  source: Source,
  node: Node & { type: 'CallExpression' | 'NewExpression' },
  isAllowed: boolean,
): string[] {
  const callee = unwrap(node.callee);
  const name = callee.type === 'Identifier' ? callee.name : propertyName(callee);
  const specifier = literalText(node.arguments[0]);
  if (name === 'constructor') return ['a constructor that is called by that name can compile code'];
  if (specifier === undefined) return [];
  if (name === 'fork' || name === 'Worker')
    return [`${name} may only start a file that new URL(…, import.meta.url) names`];
  const isRequire = name === 'require' || (callee.type === 'MemberExpression' && nameOf(callee.object) === 'require');
  return isRequire && isRelative(specifier) ? targetViolations(source.path, specifier, isAllowed) : [];
}

function nameOf(node: Node): string | undefined {
  const inner = unwrap(node);
  return inner.type === 'Identifier' ? inner.name : undefined;
}

/** A file that is only read, such as an image; for code the rules of imports apply. */
function fileViolations(path: string, specifier: string, isAllowed: boolean): string[] {
  const target = resolveFrom(path, specifier);
  const isCode = /\.[cm]?[jt]sx?$/.test(target) || target.endsWith('/');
  const to = domainOf(target);
  const isForeign = to !== undefined && to !== 'assets' && to !== domainOf(path);
  return isCode || isForeign ? targetViolations(path, specifier, isAllowed) : [];
}

function targetViolations(path: string, specifier: string, isAllowed: boolean): string[] {
  if (!isRelative(specifier)) return packageViolations(specifier, isAllowed);
  const from = domainOf(path);
  const target = resolveFrom(path, specifier);
  if (/\.test\.[a-z]+$/.test(target)) return [`production code may not import ${target}`];
  if (from === undefined || target === textKeys) return [];
  const to = domainOf(target);
  if (from === 'cli' && composition.has(target)) return [];
  if (isSchema(path) && !isSchema(target) && !schemaTools.has(target))
    return [`a schema.ts, whose types the web client imports, may import only others, not ${target}`];
  if (to === undefined) return [`domains may not import ${target}`];
  if (to === from)
    return barrelDomain(target) === from ? [`import the file itself, not ${target} of its own domain`] : [];
  if (target !== sharedTables && target.endsWith('/tables.ts'))
    return [`only ${to} may import ${target}, which writes its tables`];
  if (isAbove(to, from)) return [`${from} may not import ${to}, which is above it`];
  if (to !== 'platform' && barrelDomain(target) !== to && !(isSchema(path) && isSchema(target)))
    return [`import ${to}/index.ts or the index.ts of a topic folder of ${to}, not ${target}`];
  return [];
}

const isSchema = (path: string): boolean => path.endsWith('/schema.ts');

const isRelative = (specifier: string): boolean => /^\.{0,2}[/\\]|^\.{1,2}$/.test(specifier);

/** Node resolves specifiers as URLs: it decodes escapes, ignores a query and treats a backslash as a slash. */
function resolveFrom(path: string, specifier: string): string {
  return decodeURIComponent(new URL(specifier, `file:///${path}`).pathname).slice(1);
}

/** Packages and modules of Node; a package name that leads back into this repository is not one. */
function packageViolations(specifier: string, isAllowed: boolean): string[] {
  if (isBuiltin(specifier)) {
    const name = specifier.replace(/^node:/, '').split('/')[0] ?? '';
    return loaderModules.has(name) && !isAllowed ? [`node:${name} can load code past the list of layers`] : [];
  }
  if (
    /^(?:@[\w.-]+\/)?[\w.-]+(?:\/[\w./-]+)?$/.test(specifier) &&
    !/^fieldfare(?:\/|$)|(?:^|\/)\.\.?(?:\/|$)/.test(specifier)
  ) {
    return [];
  }
  return [`${specifier} is neither a relative path nor a package`];
}
