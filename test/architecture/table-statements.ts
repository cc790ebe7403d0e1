import { domainOf, isAbove, type TableOwners } from './layers.ts';
import { literalText, parse, propertyName, unwrap, type Node, type Source } from './syntax.ts';

/** Stands for an expression in the text of a statement. */
const hole = '\ufffc';

/** Files whose statements write or select from tables that are named when they run, with the reason. Each is needed. */
export const unnamedTables: ReadonlyMap<string, string> = new Map([
  ['server/timelines/feeds/build-feed.ts', 'FeedTables names only tables of timelines'],
  ['server/timelines/feeds/feed-tables.ts', 'FeedTables names only tables of timelines'],
  ['server/timelines/feeds/trim-feeds.ts', 'FeedTables names only tables of timelines'],
  ['server/relationships/follow/delete-follows.ts', 'the type of the parameter lists three tables of relationships'],
  ['server/relationships/follow/delete-relationships.ts', 'the list of tables is a constant of the file'],
  ['server/statuses/react/list-saved-statuses.ts', 'the type of the parameter lists tables of statuses'],
  ['server/notifications/notify-of-follows.ts', 'the type of the parameter lists tables of relationships'],
  ['server/maintenance/counter-check.ts', 'the type of the parameter lists tables with counters'],
  ['server/backup/restore/table-loader.ts', 'loads all tables as they are'],
  ['server/backup/create/add-tables.ts', 'copies all tables as they are'],
  ['server/backup/copy-database.ts', 'copies all tables as they are'],
  ['server/server-imports/gotosocial/copy-source.ts', 'the copy of a GoToSocial has a schema of its own'],
  ['server/server-imports/target-statements.ts', 'the plan of an import names the tables and all their columns'],
]);

/** Methods of Kysely that read the tables of their arguments. */
const readingMethods =
  /^(?:selectFrom|from|using|(?:inner|left|right|full|cross)Join|(?:inner|left|cross)JoinLateral|table|ref|id|raw)$/;

export interface TableRules {
  readonly tables: TableOwners;
  readonly unnamed?: ReadonlyMap<string, string>;
}

/**
 * Returns where a file names a table wrongly in raw SQL, or reads one of a higher domain: each line names the file, its
 * line and the rule. Statements of the query builder that write need no check here: only `writable` has these methods.
 */
export function statementViolations(
  path: string,
  text: string,
  { tables, unnamed = unnamedTables }: TableRules,
): string[] {
  const domain = domainOf(path);
  const source = parse(path, text);
  return source.nodes.flatMap((node) => {
    const statement = statementOf(source, node);
    const problems = [
      ...importProblems(source, node),
      ...(unnamed.has(path) ? [] : selectProblems(node)),
      ...(statement === undefined ? [] : writeProblems(statement, path, { tables, unnamed })),
      ...(domain === undefined ? [] : [...namedTables(source, node), ...readTables(statement ?? '', tables)])
        .filter((name) => isAbove(tables.get(name) ?? '', domain ?? ''))
        .map((name) => `${domain} may not read ${name} of ${tables.get(name)}, which is above it`),
    ];
    return [...new Set(problems)].map((problem) => `${path}:${source.lineOf(node)}: ${problem}`);
  });
}

/** Everything but `sql` builds statements that this guard does not see; the platform opens the database. */
function importProblems({ path }: Source, node: Node): string[] {
  if (
    path.startsWith('server/platform/database/') ||
    !('source' in node) ||
    literalText(node.source as Node) !== 'kysely'
  )
    return [];
  if (node.type === 'ImportExpression') return [];
  if (node.type !== 'ImportDeclaration') return ['import the names of kysely where they are used'];
  if (node.importKind === 'type') return [];
  const isPlain = node.specifiers.every(
    (specifier) =>
      specifier.type === 'ImportSpecifier' &&
      (specifier.importKind === 'type' ||
        ('name' in specifier.imported && specifier.imported.name === 'sql' && specifier.local.name === 'sql')),
  );
  return isPlain ? [] : ['import only sql and types from kysely, by their names'];
}

/** Returns the text of a node that is SQL or a part of it, in lower case, without comments, strings and quotes. */
function statementOf(source: Source, node: Node): string | undefined {
  if (node.type !== 'TemplateLiteral' && node.type !== 'Literal') return undefined;
  const text =
    node.type === 'TemplateLiteral'
      ? node.quasis
          .map(({ value }, at) => (value.cooked ?? '') + (node.expressions[at] ? nameIn(node.expressions[at]) : ''))
          .join('')
      : literalText(node);
  const parent = source.parentOf(node);
  const isTagged = parent?.type === 'TaggedTemplateExpression' && source.textOf(parent.tag).startsWith('sql');
  const plain = (text ?? '')
    .replaceAll(/\/\*[\s\S]*?\*\/|--[^\n]*/g, ' ')
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll('"', '')
    .toLowerCase()
    .replaceAll(/\bpublic\s*\.\s*/g, '')
    .trim();
  const isStatement =
    /^(?:with|select|insert into|update|delete from|merge into|truncate|copy|lock|alter|drop|table|begin|declare|do|prepare|explain|set|commit|rollback|savepoint)\b/.test(
      plain,
    ) && /\s(?:from|into|set|table|to)\s|^(?:truncate|table|copy|delete|update)\s/.test(plain);
  return isTagged || isStatement ? plain : undefined;
}

/** Returns the name in `sql.table('name')` and its relatives, and a hole for any other expression. */
function nameIn(expression: Node): string {
  const isName =
    expression.type === 'CallExpression' && /^(?:table|ref|id|raw)$/.test(propertyName(expression.callee) ?? '');
  return (isName ? literalText(expression.arguments[0]) : undefined) ?? hole;
}

/** `selectFrom` takes literals, and functions and calls that build a query. */
function selectProblems(node: Node): string[] {
  if (node.type !== 'CallExpression' || propertyName(unwrap(node.callee)) !== 'selectFrom') return [];
  const [argument] = node.arguments;
  const isClear =
    argument === undefined ||
    literalText(argument) !== undefined ||
    ['ArrayExpression', 'ArrowFunctionExpression', 'TaggedTemplateExpression'].includes(argument.type) ||
    (argument.type === 'CallExpression' && argument.callee.type === 'MemberExpression');
  return isClear ? [] : ['a query must name its table'];
}

const write =
  /(?<!\b(?:for|do|no key)\s)\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate|copy|lock\s+table|(?:alter|drop|truncate)\s+table(?:\s+if\s+exists)?)\s+(?:only\s+|table\s+)?([\w\ufffc]+(?:\s*,\s*\w+)*|$)/g;

/** Returns the problems of what a statement writes. */
function writeProblems(statement: string, path: string, { tables, unnamed }: Required<TableRules>): string[] {
  return [...`${statement} `.matchAll(write)].flatMap(([, names = '']) =>
    names.split(/\s*,\s*/).flatMap((name) => {
      if (name === '' || name.includes(hole))
        return unnamed.has(path) ? [] : ['a statement that writes must name its table'];
      const owner = tables.get(name);
      return owner === undefined || owner === domainOf(path) ? [] : [`only ${owner} may write ${name}`];
    }),
  );
}

/** Returns the tables that a statement names where it reads. */
function readTables(statement: string, tables: TableOwners): string[] {
  if (tables.has(statement)) return [statement];
  const listed = [...statement.matchAll(/\b(?:from|join|using|table|copy)(?=\s+(?:only\s+)?([^()]+))/g)].flatMap(
    ([, list = '']) => list.split(',').map((item) => /^\s*(\w+)/.exec(item)?.[1] ?? ''),
  );
  const inBrackets = [...statement.matchAll(/\b(?:from|join|only)\s*\(\s*(\w+)/g)].map(([, name = '']) => name);
  const qualifying = [...statement.matchAll(/(?<![.\w])(\w+)\s*\.\s*\w/g)].map(([, name = '']) => name);
  return [...listed, ...inBrackets, ...qualifying].filter((name) => tables.has(name));
}

/** Returns the tables that the arguments of a method of Kysely name: `'statuses as s'`, `'statuses.id'`. */
function namedTables(source: Source, node: Node): string[] {
  if (node.type !== 'CallExpression') return [];
  const callee = unwrap(node.callee);
  const name = propertyName(callee) ?? (callee.type === 'Identifier' ? callee.name : '');
  if (!readingMethods.test(name) || /^(?:Array|Buffer|Readable)\b/.test(source.textOf(node.callee))) return [];
  return node.arguments
    .flatMap((argument) => (argument.type === 'ArrayExpression' ? argument.elements : [argument]))
    .flatMap((argument) => /^(?:public\.)?(\w+)/.exec(literalText(argument && unwrap(argument)) ?? '')?.[1] ?? []);
}
