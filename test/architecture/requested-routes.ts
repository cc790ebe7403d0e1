import { literalText, propertyName, type Node, type Source } from './syntax.ts';

/** A request in the text of a test. */
export interface Request {
  /** The method, or those that the file uses if the text does not show it. */
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
  const used = new Set<string>();
  const prefixes = new Set(exported);
  for (const node of source.nodes) {
    // Also the parts of a path in a list: 'tags/approve'.
    for (const word of literalText(node)?.split('/') ?? []) words.add(word);
    if (node.type === 'Property' && 'name' in node.key) words.add(node.key.name as string);
    const path = pathOf(node);
    if (path?.startsWith('/') === true) prefixes.add(path);
    const name = propertyName(node) ?? literalText(node) ?? '';
    const method = methodNamed(name);
    if (method !== undefined) used.add(method);
  }
  return source.nodes.flatMap((node) => {
    const path = pathOf(node);
    if (path === undefined) return [];
    const method = /^[A-Z]+(?= )/.exec(textOf(node))?.[0] ?? methodOf(source, node);
    const client = Object.keys(clientPaths).find((folder) => source.path.startsWith(folder)) ?? '';
    const paths = path.startsWith(hole)
      ? [...prefixes].map((prefix) => prefix + path.slice(1))
      : [path, `${clientPaths[client] ?? ''}${path}`];
    return paths.map((each) => ({
      methods: method === undefined ? used : new Set([method]),
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

/** Returns the method of the call of which a path is the first argument; undefined if it is another kind of call. */
function methodOf(source: Source, node: Node): string | undefined {
  const call = source.parentOf(node);
  if (call?.type !== 'CallExpression' || call.arguments[0] !== node) return undefined;
  return methodNamed(propertyName(call.callee) ?? '');
}

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
