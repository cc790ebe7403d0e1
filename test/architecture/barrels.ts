import { layers } from './layers.ts';
import { parse, type Node } from './syntax.ts';

/** The parts of a domain that only `server/app.ts` uses. */
const parts: ReadonlySet<string> = new Set(['routes', 'subscriptions', 'caches', 'schedules', 'workers', 'metrics']);

/**
 * Maximum number of names that a barrel exports to other domains. A domain with more is split into topic folders, or into
 * two domains.
 */
export const maxBarrelNames = 20;

const barrel = /^server\/([^/]+)\/([^/]+\/)?index\.ts$/;

/**
 * Returns the domain that other domains enter by this file, `server/<domain>/index.ts` or
 * `server/<domain>/<topic>/index.ts`. Undefined if the file is no barrel. The platform and the command line have none.
 */
export function barrelDomain(path: string): string | undefined {
  const domain = barrel.exec(path)?.[1];
  return domain === undefined || !layers.includes(domain) || domain === 'platform' || domain === 'cli'
    ? undefined
    : domain;
}

/** Returns what is wrong with a barrel. */
export function barrelViolations(path: string, text: string): string[] {
  const { program } = parse(path, text);
  const found: string[] = [];
  const names = program.body.flatMap(exportedNames).filter((name) => !parts.has(name));
  if (!/^(?:\/\/|\/\*\*) \S/.test(text)) found.push('the first line does not describe the folder');
  // The list of a feature of the client is loaded with the first page, so it loads nothing but what it offers.
  const isListOnly = barrel.exec(path)?.[2] !== undefined || path.startsWith('web/');
  if (isListOnly && !program.body.every(isReexportOfFolder))
    found.push('the barrel of a topic folder may only re-export names from files of this folder');
  if (names.includes('writable')) found.push('only the domain itself writes its tables');
  if (program.body.some(exportsUncounted)) found.push('list each exported name');
  if (names.length > maxBarrelNames) found.push(`exports ${names.length} names, more than ${maxBarrelNames}`);
  return found.map((message) => `${path}: ${message}`);
}

const isReexportOfFolder = (node: Node): boolean =>
  node.type === 'ExportNamedDeclaration' && /^\.\/[^/]+$/.test(node.source?.value ?? '');

/** Exports whose names are not in the text, such as `export *`. */
function exportsUncounted(node: Node): boolean {
  switch (node.type) {
    case 'ExportAllDeclaration':
    case 'ExportDefaultDeclaration':
    case 'TSExportAssignment':
      return true;
    case 'ImportDeclaration':
      return node.specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier');
    case 'ExportNamedDeclaration':
      return node.source === null && node.declaration !== null && declaredNames(node.declaration) === undefined;
    default:
      return false;
  }
}

function exportedNames(node: Node): string[] {
  if (node.type !== 'ExportNamedDeclaration') return [];
  const specified = node.specifiers.map(({ exported }) =>
    exported.type === 'Literal' ? exported.value : exported.name,
  );
  return [...specified, ...((node.declaration && declaredNames(node.declaration)) ?? [])];
}

/** The names that a declaration exports; undefined if it takes a value apart or is of a rare kind. */
function declaredNames(node: Node): string[] | undefined {
  switch (node.type) {
    case 'VariableDeclaration': {
      const names = node.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : undefined));
      return names.every((name) => name !== undefined) ? names : undefined;
    }
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return node.id ? [node.id.name] : undefined;
    default:
      return undefined;
  }
}
