// Prints all routes as a Markdown table, those of pages and federation included: node bin/run.mjs server/cli/list-routes.ts
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../app.ts';
import type { Route } from '../platform/http/routes.ts';
import { projectRoot } from './command-config.ts';

/** Returns the table, sorted by path. Access: who may call a route (server/platform/http/routes.ts). */
function renderRoutes(): string {
  const declarations = findRouteDeclarations();
  const lines = routes
    .toSorted((a, b) => compare(a.path, b.path) || compare(a.method, b.method))
    .map((route) => [...describe(route), fileOf(route, declarations)].map(tableCell).join(' | '));
  return `${header}${lines.map((line) => `| ${line} |\n`).join('')}`;
}

/** A call that declares a route. */
interface RouteDeclaration {
  readonly path: string;
  /** Undefined: not visible in the call. */
  readonly method: string | undefined;
  readonly file: string;
}

/** Finds the calls of `get`, `post`, `put`, `patch`, `del` and of functions named `…Route` that have a path as a literal. */
export function findRouteDeclarations(): RouteDeclaration[] {
  const found: RouteDeclaration[] = [];
  for (const file of globSync('server/**/*.ts', { cwd: projectRoot }).toSorted(compare)) {
    if (file.endsWith('.test.ts')) continue;
    for (const [, name = '', method, path = ''] of readFileSync(join(projectRoot, file), 'utf8').matchAll(
      declaration,
    )) {
      found.push({ path, method: method ?? methodByFunction[name], file });
    }
  }
  return found;
}

const methodByFunction: Readonly<Record<string, string>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  del: 'DELETE',
};
const declaration = /\b(get|post|put|patch|del|\w+Route)\(\s*(?:'([A-Z]+)',\s*)?'(\/[^']*)'[,)]/g;

function fileOf({ method, path }: Route, declarations: readonly RouteDeclaration[]): string {
  const candidates = declarations.filter((declared) => declared.path === path);
  return (candidates.find((declared) => declared.method === method) ?? candidates[0])?.file ?? '';
}

const describe = ({ method, path, options }: Route): string[] => [
  method,
  `\`${path}\``,
  options.access,
  options.scope?.replaceAll('|', ' or ') ?? '',
  options.summary,
];

const tableCell = (text: string): string => text.replaceAll('|', String.raw`\|`);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const header = `| Method | Path | Access | Scope | Summary | File |
| --- | --- | --- | --- | --- | --- |
`;

if (import.meta.main) process.stdout.write(renderRoutes());
