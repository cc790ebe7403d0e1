import { globSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { caches, subscriptions } from '../../server/app.ts';
import { contendedTables, type Subscription } from '../../server/platform/write/subscriptions.ts';
import { domainOf, readSource } from './layers.ts';
import { literalText, parse, unwrap, type Node, type Source } from './syntax.ts';

/**
 * A call of `inTransaction` or `publish`. These reactions have no name, so they are found by their events.
 */
interface Declaration {
  readonly path: string;
  readonly kind: Subscription['kind'];
  /** As that of `publish`. */
  readonly onlyHere: boolean;
  /** Names of the events; undefined if the call does not contain the list itself. */
  readonly events: readonly string[] | undefined;
  /** Name of the handler, or of the constant that holds the reaction, if there is one. */
  readonly handler: string | undefined;
}

interface Context {
  readonly sources: readonly Source[];
  /** Names of events by `domain constant`. */
  readonly eventNames: ReadonlyMap<string, string>;
}

interface Line {
  readonly rank: number;
  readonly event: string;
  readonly when: string;
  readonly reaction: string;
  readonly path: string;
}

const kinds: Readonly<Record<string, Subscription['kind']>> = {
  inTransaction: 'in_transaction',
  publish: 'publish',
};

/** Renders docs/events.md: every event with its reactions, when they run, and the file that declares them. */
export function renderEventsDocument(): string {
  const sources = globSync('server/*/**/*.ts')
    .filter((path) => !path.endsWith('.test.ts'))
    .toSorted()
    .map((path) => parse(path, readSource(path)));
  const eventNames = findEventNames(sources);
  const declarations = sources.flatMap((source) => findDeclarations(source, { sources, eventNames }));
  const files = findNames(sources);
  const lines = [
    ...subscriptions.flatMap((subscription) => reactionLines(subscription, declarations, files)),
    ...cacheLines(files),
  ].toSorted((a, b) => a.rank - b.rank || compare(a.reaction, b.reaction));
  const events = [...new Set([...eventNames.values(), ...lines.map(({ event }) => event)])].toSorted(compare);
  return [
    '# Events',
    '',
    'Every event, and what reacts to it. A test writes this file: `npm test -- test/architecture/events-document.test.ts -u`. docs/architecture.md explains when each kind of reaction runs.',
    '',
    '| event | when | reaction | declared in `server/` |',
    '|---|---|---|---|',
    ...events.flatMap((event) =>
      eventRows(
        event,
        lines.filter((line) => line.event === event),
      ),
    ),
    '',
  ].join('\n');
}

function eventRows(event: string, lines: readonly Line[]): string[] {
  if (lines.length === 0) return [`| \`${event}\` | | none | |`];
  return lines.map(
    ({ when, reaction, path }, index) =>
      `| ${index === 0 ? `\`${event}\`` : ''} | ${when} | ${reaction} | \`${path.slice('server/'.length)}\` |`,
  );
}

function reactionLines(
  subscription: Subscription,
  declarations: readonly Declaration[],
  files: ReadonlyMap<string, string>,
): Line[] {
  return subscription.events.map((event) => {
    switch (subscription.kind) {
      case 'job': {
        const { name, queue, when } = subscription;
        return {
          rank: 4,
          event,
          when: 'later',
          reaction: `\`${name}\` (queue ${queue}${when === undefined ? '' : `, if \`${when.name}\``})`,
          path: requireFile(files, name),
        };
      }
      case 'in_transaction': {
        const { locks } = subscription;
        const isContended = (contendedTables as readonly string[]).includes(locks);
        return {
          ...describe(subscription, declarations),
          rank: Number(isContended),
          event,
          when: isContended ? `in the transaction, locks \`${locks}\`` : 'in the transaction',
        };
      }
      case 'publish':
        return {
          ...describe(subscription, declarations),
          rank: 3,
          event,
          when: subscription.onlyHere ? 'published, in this process' : 'published',
        };
    }
  });
}

function describe(subscription: Subscription, declarations: readonly Declaration[]): Pick<Line, 'reaction' | 'path'> {
  const { path, handler } = declarationOf(subscription, declarations);
  return { reaction: handler === undefined ? 'inline' : `\`${handler}\``, path };
}

function cacheLines(files: ReadonlyMap<string, string>): Line[] {
  return caches
    .filter(({ name }) => files.has(name))
    .flatMap(({ name, events }) =>
      events.map((event) => ({
        rank: 2,
        event,
        when: 'published to the cache',
        reaction: `\`${name}\``,
        path: requireFile(files, name),
      })),
    );
}

/** Uses each declaration once, in order. A call whose list is defined elsewhere may declare several reactions. */
function declarationOf(subscription: Subscription, declarations: readonly Declaration[]): Declaration {
  const expected = [...subscription.events].toSorted().join(' ');
  const sameKind = declarations.filter(
    ({ kind, onlyHere }) => kind === subscription.kind && onlyHere === isOnlyHere(subscription),
  );
  const exact = sameKind.filter(({ events }) => events?.toSorted().join(' ') === expected);
  const found = exact[subscriptionsLike(subscription).indexOf(subscription)];
  if (found !== undefined) return found;
  const open = sameKind.filter(({ events }) => events === undefined);
  if (open.length !== 1) throw new Error(`cannot tell which of ${open.length} declarations reacts to ${expected}`);
  return open[0] as Declaration;
}

const isOnlyHere = (subscription: Subscription): boolean => subscription.kind === 'publish' && subscription.onlyHere;

/** The reactions of one kind to the same events. */
function subscriptionsLike(subscription: Subscription): Subscription[] {
  const describe = (each: Subscription): string =>
    [each.kind, isOnlyHere(each), ...[...each.events].toSorted()].join(' ');
  return subscriptions.filter((other) => describe(other) === describe(subscription));
}

function requireFile(files: ReadonlyMap<string, string>, name: string): string {
  const path = files.get(name);
  if (path === undefined) throw new Error(`no file declares ${name}`);
  return path;
}

/** Maps the constants of `defineEvent`, as `domain constant`, to the names of their events. */
function findEventNames(sources: readonly Source[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { path, node } of sources.flatMap(({ path, nodes }) => nodes.map((node) => ({ path, node })))) {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) continue;
    const init = unwrap(node.init);
    if (init.type !== 'CallExpression' || !isCallOf(init, 'defineEvent')) continue;
    const name = literalText(init.arguments[0]);
    if (name === undefined) throw new Error(`the name of the event ${node.id.name} is not a literal`);
    const key = `${domainOf(path)} ${node.id.name}`;
    if (names.has(key)) throw new Error(`two events are named ${key}`);
    names.set(key, name);
  }
  return names;
}

/** Maps the names of jobs and caches (`name: 'a.b'`, `defineJob('a.b', …)`) to the file that declares them. */
function findNames(sources: readonly Source[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const { path, nodes } of sources) {
    for (const node of nodes) {
      const isName = node.type === 'Property' && node.key.type === 'Identifier' && node.key.name === 'name';
      const name = isName ? literalText(node.value) : undefined;
      if (name?.includes('.')) files.set(name, path);
    }
  }
  return files;
}

function findDeclarations(source: Source, context: Context): Declaration[] {
  return source.nodes.flatMap((node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return [];
    const kind = kinds[node.callee.name];
    const [list, handler] = node.arguments;
    if (kind === undefined || list === undefined || handler === undefined) return [];
    return [
      {
        path: source.path,
        kind,
        onlyHere: propertyNames(handler).includes('onlyHere'),
        events: eventsOf(list, source, context),
        handler: handlerName(handler) ?? constantOf(node, source),
      },
    ];
  });
}

/** The names in a list of events, which may be a constant. */
function eventsOf(list: Node, source: Source, context: Context): string[] | undefined {
  const node = unwrap(list);
  if (node.type === 'Identifier') {
    const origin = originOf(node.name, source);
    for (const other of context.sources) {
      if (domainOf(other.path) !== origin.split(' ')[0]) continue;
      for (const { type, ...constant } of other.nodes as (Node & { id?: Node; init?: Node })[]) {
        if (type !== 'VariableDeclarator' || constant.id?.type !== 'Identifier' || !constant.init) continue;
        if (constant.id.name === origin.split(' ')[1]) return eventsOf(constant.init, other, context);
      }
    }
    return undefined;
  }
  if (node.type !== 'ArrayExpression') return undefined;
  const events = node.elements.map((element) =>
    element?.type === 'Identifier' ? context.eventNames.get(originOf(element.name, source)) : undefined,
  );
  return events.every((event) => event !== undefined) ? events : undefined;
}

/** Returns `domain constant` for a name that a file imports or declares. */
function originOf(name: string, { path, nodes }: Source): string {
  for (const node of nodes) {
    if (node.type !== 'ImportDeclaration') continue;
    for (const specifier of node.specifiers) {
      if (specifier.type !== 'ImportSpecifier' || specifier.local.name !== name) continue;
      const imported = specifier.imported.type === 'Identifier' ? specifier.imported.name : name;
      return `${domainOf(join(dirname(path), node.source.value))} ${imported}`;
    }
  }
  return `${domainOf(path)} ${name}`;
}

function propertyNames(handler: Node): string[] {
  const node = unwrap(handler);
  if (node.type !== 'ObjectExpression') return [];
  return node.properties.flatMap((property) =>
    property.type === 'Property' && property.key.type === 'Identifier' ? [property.key.name] : [],
  );
}

function handlerName(handler: Node): string | undefined {
  const node = unwrap(handler);
  if (node.type !== 'ObjectExpression') return undefined;
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier' || !property.key.name.startsWith('run'))
      continue;
    if (property.value.type === 'Identifier') return property.value.name;
  }
  return undefined;
}

/** The name of the constant that a call is assigned to. */
function constantOf(call: Node, { parentOf }: Source): string | undefined {
  const parent = parentOf(call);
  return parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier' ? parent.id.name : undefined;
}

const isCallOf = (node: Node & { type: 'CallExpression' }, name: string): boolean =>
  node.callee.type === 'Identifier' && node.callee.name === name;

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
