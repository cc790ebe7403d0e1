import { literalText, propertyName, type Node, type Source } from './syntax.ts';

/** A request in the text of a test. */
export interface Request {
  /** The method, or those that it can be if the call does not show it. */
  readonly methods: ReadonlySet<string>;
  /** The segments of the path; the unknown ones are patterns. */
  readonly segments: readonly (string | RegExp)[];
  /** The strings of the file, which its unknown segments can be. */
  readonly words: ReadonlySet<string>;
}

/** Where the clients of some tests add the beginning of a path. */
const clientPaths: Readonly<Record<string, string>> = { 'test/streaming/': '/api/v1/streaming' };

const hole = '\ufffc';
const methods = /^(?:get|post|put|patch|delete|head|options)$/i;
/** Methods of clients that are named by what they do. */
const methodsByAction = new Map([
  ['open', 'GET'],
  ['goto', 'GET'],
  ['send', 'POST'],
  ['submit', 'POST'],
]);

const methodNamed = (name: string): string | undefined =>
  methods.test(name) ? name.toUpperCase() : methodsByAction.get(name);

/**
 * Returns the requests that tests name: `user.post('/api/v1/statuses')`, `'DELETE /api/v1/lists/1'`, a path in a list. A path
 * that begins with a variable, `${path}/1`, begins with any path of its file, or with one that a file exports.
 */
export function requestsIn(sources: readonly Source[]): Request[] {
  const exported = sources.flatMap(({ program }) =>
    program.body.flatMap((statement) =>
      statement.type === 'ExportNamedDeclaration' && statement.declaration?.type === 'VariableDeclaration'
        ? statement.declaration.declarations.flatMap(({ init }) => pathOf(init ?? undefined) ?? [])
        : [],
    ),
  );
  return sources.flatMap((source) => requestsOf(source, exported));
}

function requestsOf(source: Source, exported: readonly string[]): Request[] {
  const words = new Set<string>();
  const byVariable = methodsByVariable(source);
  const parameters = parametersIn(source);
  const prefixes = new Set(exported);
  for (const node of source.nodes) {
    // Also the parts of a path in a list: 'tags/approve'.
    for (const word of literalText(node)?.split('/') ?? []) words.add(word);
    if (node.type === 'Property' && 'name' in node.key) words.add(node.key.name as string);
    const path = pathOf(node);
    if (path?.startsWith('/') === true) prefixes.add(path);
  }
  return source.nodes.flatMap((node) => {
    const path = pathOf(node);
    if (path === undefined) return [];
    const method = /^[A-Z]+(?= )/.exec(textOf(node))?.[0] ?? methodOf(source, node);
    const variable = variableOf(source, node, parameters);
    // A path that a function or a loop gets: mostly of pages.
    const possible = (variable === undefined ? undefined : byVariable.get(variable)) ?? new Set(['GET']);
    const client = Object.keys(clientPaths).find((folder) => source.path.startsWith(folder)) ?? '';
    const paths = path.startsWith(hole)
      ? [...prefixes].map((prefix) => prefix + path.slice(1))
      : [path, `${clientPaths[client] ?? ''}${path}`];
    return paths.map((each) => ({
      methods: method === undefined ? possible : new Set([method]),
      segments: each
        .slice(1)
        .split('/')
        .map((segment) => (segment.includes(hole) ? toPattern(segment) : segment)),
      words,
    }));
  });
}

const textOf = (node: Node): string =>
  node.type === 'TemplateLiteral'
    ? node.quasis.map(({ value }) => value.cooked ?? '').join(hole)
    : (literalText(node) ?? '');

/** Returns the path in a string or template, without its method, host and query. */
const pathOf = (node: Node | undefined): string | undefined =>
  node && /^(?:[A-Z]+ )?(?:https?:\/\/[^/]+)?(\/[^?#\s]*|\ufffc\/[^?#\s]+)/.exec(textOf(node))?.[1];

const toPattern = (segment: string): RegExp =>
  new RegExp(
    `^${segment
      .split(hole)
      .map((part) => RegExp.escape(part))
      .join('.+')}$`,
  );

/**
 * Returns the method of a path: that of a call with it, or one that the same call or list names. Undefined if neither shows
 * it: `test.each(paths)`.
 */
function methodOf(source: Source, node: Node): string | undefined {
  const parent = source.parentOf(node);
  if (parent?.type === 'ArrayExpression') return firstMethod(parent.elements);
  if (parent?.type === 'Property') return firstMethod([source.parentOf(parent)]);
  if (parent?.type !== 'CallExpression') return undefined;
  return firstMethod(parent.arguments) ?? methodNamed(propertyName(parent.callee) ?? '');
}

/** Returns the first method among literals, and in objects: `{ method: 'POST' }`. */
function firstMethod(nodes: readonly (Node | null | undefined)[]): string | undefined {
  for (const node of nodes) {
    const members = node?.type === 'ObjectExpression' ? node.properties : [];
    const named = members.map((member) => (member.type === 'Property' ? literalText(member.value) : undefined));
    const found = [literalText(node), ...named].find((text) => /^[A-Z]+$/.test(text ?? '') && methods.test(text ?? ''));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the methods of the calls that have a variable among their arguments. */
function methodsByVariable(source: Source): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const node of source.nodes) {
    const method = node.type === 'Identifier' ? methodOf(source, node) : undefined;
    if (node.type !== 'Identifier' || method === undefined) continue;
    found.set(node.name, (found.get(node.name) ?? new Set()).add(method));
  }
  return found;
}

/** Returns the variable that gets a path: by its declaration, by a loop over a list, or as a parameter of a function. */
function variableOf(
  source: Source,
  node: Node,
  parameters: ReadonlyMap<string, readonly (string | undefined)[]>,
): string | undefined {
  const parent = source.parentOf(node);
  switch (parent?.type) {
    case 'VariableDeclarator':
      return nameOf(parent.id);
    case 'ForOfStatement':
      return parent.left.type === 'VariableDeclaration' ? nameOf(parent.left.declarations[0]?.id) : undefined;
    case 'CallExpression':
      return parameters.get(nameOf(parent.callee) ?? '')?.[parent.arguments.findIndex((one) => one === node)];
    case 'ArrayExpression':
    case 'ConditionalExpression':
    case 'TSAsExpression':
      return variableOf(source, parent, parameters);
    default:
      return undefined;
  }
}

/** Returns the names of the parameters of the functions that a file declares. */
const parametersIn = ({ nodes }: Source): ReadonlyMap<string, readonly (string | undefined)[]> =>
  new Map(
    nodes.flatMap((node) => {
      const [id, value] =
        node.type === 'VariableDeclarator' ? [node.id, node.init] : ['id' in node ? node.id : null, node];
      return value?.type === 'ArrowFunctionExpression' || value?.type === 'FunctionDeclaration'
        ? [[nameOf(id) ?? '', value.params.map(nameOf)] as const]
        : [];
    }),
  );

const nameOf = (node: unknown): string | undefined =>
  typeof node === 'object' && node !== null && 'type' in node && node.type === 'Identifier' && 'name' in node
    ? String(node.name)
    : undefined;

/** Whether one of the requests can be one to a route. */
export function isRequested({ method, path }: { method: string; path: string }, requests: readonly Request[]): boolean {
  const segments = path.split('/').slice(1);
  return requests.some(
    (request) =>
      request.methods.has(method) &&
      (request.segments.length === segments.length || endsOpen(segments.at(-1)) || endsOpen(request.segments.at(-1))) &&
      request.segments.length <= Math.max(segments.length, endsOpen(segments.at(-1)) ? Infinity : 0) &&
      segments.every((segment, at) => fits(segment, request.segments[at] ?? request.segments.at(-1), request.words)),
  );
}

/** Whether the end of a path stands for several segments. */
const endsOpen = (segment: string | RegExp | undefined): boolean =>
  segment === '*' || (segment instanceof RegExp && segment.source === '^.+$');

function fits(segment: string, requested: string | RegExp | undefined, words: ReadonlySet<string>): boolean {
  if (segment.includes(':') || segment === '*') return requested !== undefined && requested !== '';
  if (requested instanceof RegExp) return requested.test(segment) && words.has(segment);
  return requested === segment;
}
