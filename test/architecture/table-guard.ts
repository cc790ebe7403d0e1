import { constantsOf, isRawText, type Constants } from './constants.ts';
import { domainOf, isAbove, type TableList } from './layers.ts';
import { hole, looksLikeSql, tableUses, type TableUse } from './sql-text.ts';
import { tableExceptions, type Exception } from './table-exceptions.ts';
import { parse, propertyName, unwrap, type Node, type Source } from './syntax.ts';

/** Methods of Kysely that take a table, by how they use it. Only Kysely has methods of these names. */
const methods = new Map<string, TableUse['kind']>([
  ...['insertInto', 'replaceInto', 'updateTable', 'deleteFrom', 'mergeInto'].map((name) => [name, 'write'] as const),
  ...['alterTable', 'createTable', 'dropTable', 'createView', 'dropView'].map((name) => [name, 'write'] as const),
  ...['selectFrom', 'innerJoin', 'leftJoin', 'rightJoin', 'fullJoin', 'crossJoin'].map(
    (name) => [name, 'read'] as const,
  ),
  ...['innerJoinLateral', 'leftJoinLateral', 'crossJoinLateral'].map((name) => [name, 'read'] as const),
]);
/** Methods of Kysely whose names other classes use too. */
const sharedMethods = new Map<string, TableUse['kind']>([
  ['table', 'unclear'],
  ['using', 'read'],
  ['from', 'read'],
]);
const otherFrom = /^(?:Array|Buffer|Readable|Object|Date|.*Array)$/;

/** Parts of Kysely that allow a query on untyped tables, or building one without the methods above. */
const forbidden = new Set(['withTables', 'CompiledQuery', 'RawNode', 'TableNode', 'SchemableIdentifierNode']);

export interface TableRules {
  readonly tables: TableList;
  readonly exceptions?: readonly Exception[];
}

/** Returns the wrong uses of tables in a file: each line names the file, its line, the table and the rule. */
export function tableViolations(
  path: string,
  text: string,
  { tables, exceptions = tableExceptions }: TableRules,
): string[] {
  const source = parse(path, text);
  const here = new Set(
    exceptions.filter((exception) => path.startsWith(exception.path)).map(({ expression }) => expression),
  );
  return new Guard(source, tables)
    .check()
    .filter(({ expression }) => expression === undefined || !here.has(expression))
    .map(({ node, message }) => `${path}:${source.lineOf(node)}: ${message}`);
}

interface Violation {
  readonly node: Node;
  readonly message: string;
  readonly expression: string | undefined;
}

class Guard {
  readonly #source: Source;
  readonly #tables: TableList;
  readonly #constants: Constants;
  readonly #domain: string | undefined;
  readonly #found: Violation[] = [];
  /** Local names of Kysely's `sql`. */
  readonly #sqlNames = new Set<string>();

  constructor(source: Source, tables: TableList) {
    this.#source = source;
    this.#tables = tables;
    this.#constants = constantsOf(source);
    this.#domain = domainOf(source.path);
  }

  check(): readonly Violation[] {
    for (const node of this.#source.nodes) {
      if (node.type === 'ImportDeclaration') this.#checkImport(node);
      const isExport = node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration';
      if (isExport && node.source?.value === 'kysely')
        this.#report(node, 'import the names of kysely where they are used');
    }
    for (const node of this.#source.nodes) this.#checkNode(node);
    return this.#found;
  }

  #report(node: Node, message: string, expression?: string): void {
    const isNew = !this.#found.some((found) => found.node === node && found.message === message);
    if (isNew) this.#found.push({ node, message, expression });
  }

  #checkImport(node: Node & { type: 'ImportDeclaration' }): void {
    if (node.source.value !== 'kysely' || node.importKind === 'type') return;
    for (const specifier of node.specifiers) {
      if (specifier.type !== 'ImportSpecifier') this.#report(node, 'import the names of kysely, not all of it');
      else if ('name' in specifier.imported && specifier.imported.name === 'sql')
        this.#sqlNames.add(specifier.local.name);
    }
  }

  #checkNode(node: Node): void {
    switch (node.type) {
      case 'CallExpression':
      case 'NewExpression':
        return this.#checkCall(node);
      case 'TaggedTemplateExpression':
        return isRawText(node) || this.#isHtml(node) ? this.#checkText(node) : this.#checkStatement(node);
      case 'Identifier':
        return this.#checkName(node);
      case 'Literal':
      case 'TemplateLiteral':
      case 'BinaryExpression':
        return this.#checkText(node);
      default:
    }
  }

  /** Every tag except `html` creates a statement. */
  #isHtml({ tag }: Node & { type: 'TaggedTemplateExpression' }): boolean {
    return tag.type === 'Identifier' && tag.name === 'html' && !this.#sqlNames.has('html');
  }

  /** A statement, or a part of one, in a tagged template. */
  #checkStatement(node: Node & { type: 'TaggedTemplateExpression' }): void {
    for (const statement of this.#constants.statementsOf(node.quasi)) {
      for (const use of tableUses(statement, (name) => this.#tables.has(name))) this.#checkUse(node, use);
    }
  }

  /** An untagged text: a statement for a client, or a name for the query builder. */
  #checkText(node: Node): void {
    const parent = this.#source.parentOf(node);
    const isPart = parent?.type === 'BinaryExpression' || parent?.type === 'TaggedTemplateExpression';
    if (
      isPart ||
      (parent?.type.startsWith('TS') === true &&
        parent.type !== 'TSAsExpression' &&
        parent.type !== 'TSSatisfiesExpression')
    )
      return;
    const texts = this.#constants.textsOf(node) ?? [this.#withHoles(node)];
    for (const text of texts) {
      if (text === undefined) continue;
      if (methods.has(text) || forbidden.has(text)) this.#report(node, `${text} may only be called by its name`, text);
      if (looksLikeSql(text)) this.#checkSqlText(node, text);
      else this.#checkColumn(node, text);
    }
  }

  #withHoles(node: Node): string | undefined {
    if (node.type !== 'TemplateLiteral') return undefined;
    const parts = node.quasis.map(({ value }, at) => {
      const expression = node.expressions[at];
      return (value.cooked ?? '') + (expression === undefined ? '' : hole(this.#source.textOf(expression)));
    });
    return parts.join('');
  }

  #checkSqlText(node: Node, text: string): void {
    // Prose can begin like a statement, so only positions where a table is expected count. A verb alone is another
    // name; followed by a space or more text, it is the start of a statement.
    const isOneWord = /^\w+$/.test(text);
    for (const use of tableUses(text, () => false)) {
      if (use.table !== undefined || !isOneWord) this.#checkUse(node, use);
    }
  }

  /** A column with its table, such as 'statuses.id'. */
  #checkColumn(node: Node, text: string): void {
    const [, table = '', column = ''] = /^(?:public\.)?(\w+)\.(\w+)(?: as \w+)?$/.exec(text) ?? [];
    if (this.#tables.get(table)?.columns.has(column) === true) this.#checkUse(node, { kind: 'read', table });
  }

  #checkUse(node: Node, { kind, table, expression }: TableUse): void {
    if (table === undefined) {
      this.#report(node, `a table is not named by a literal: ${expression ?? 'nothing'}`, expression);
      return;
    }
    const owner = this.#tables.get(table)?.owner;
    if (owner === undefined || owner === this.#domain) return;
    if (kind === 'write') this.#report(node, `writes to ${table} of ${owner}`, table);
    else if (this.#domain !== undefined && isAbove(owner, this.#domain))
      this.#report(node, `reads ${table} of ${owner}`);
    else if (kind === 'unclear')
      this.#report(node, `names ${table} of ${owner} where the guard cannot tell a read from a write`, table);
  }

  /** A name of Kysely that is not called where it occurs, so that the guard cannot see its argument. */
  #checkName(node: Node & { type: 'Identifier' }): void {
    const parent = this.#source.parentOf(node);
    if (
      parent === undefined ||
      (parent.type.startsWith('TS') && parent.type !== 'TSAsExpression' && parent.type !== 'TSNonNullExpression')
    )
      return;
    if (parent.type === 'ImportSpecifier') {
      if (forbidden.has(node.name)) this.#report(node, `${node.name} builds queries that the guard cannot see`);
      return;
    }
    if (forbidden.has(node.name)) this.#report(node, `${node.name} builds queries that the guard cannot see`);
    if (methods.has(node.name) && !this.#isCalled(node) && !this.#isTakenApart(node)) {
      this.#report(node, `${node.name} may only be called in place`);
    }
    const isSql =
      this.#sqlNames.has(node.name) &&
      !(parent.type === 'MemberExpression' && parent.property === node && !parent.computed);
    if (isSql && !this.#isPlainSql(node, parent))
      this.#report(node, `${node.name} may only be a tag or called as ${node.name}.table and the like`);
  }

  #isCalled(node: Node): boolean {
    const parent = this.#source.parentOf(node);
    if (parent?.type === 'CallExpression') return parent.callee === node;
    if (parent?.type !== 'MemberExpression' || parent.property !== node || parent.computed) return false;
    const call = this.#source.parentOf(parent);
    return call?.type === 'CallExpression' && call.callee === parent;
  }

  /** `({ selectFrom }) => …`, under its own name. */
  #isTakenApart(node: Node): boolean {
    const property = this.#source.parentOf(node);
    return (
      property?.type === 'Property' && property.shorthand && this.#source.parentOf(property)?.type === 'ObjectPattern'
    );
  }

  #isPlainSql(node: Node, parent: Node): boolean {
    if (parent.type === 'TaggedTemplateExpression') return parent.tag === node;
    if (parent.type === 'Property') return !parent.computed && parent.key === node && !parent.shorthand;
    return (
      parent.type === 'MemberExpression' && parent.object === node && !parent.computed && this.#isCalledMember(parent)
    );
  }

  #isCalledMember(member: Node): boolean {
    const call = this.#source.parentOf(member);
    return call?.type === 'CallExpression' && call.callee === member;
  }

  #checkCall(node: Node & { type: 'CallExpression' | 'NewExpression' }): void {
    const callee = unwrap(node.callee);
    const [argument] = node.arguments;
    if (propertyName(callee) === 'join' && this.#constants.textsOf(node) !== undefined) this.#checkText(node);
    if (callee.type === 'Identifier') {
      const kind = methods.get(callee.name);
      if (kind !== undefined && argument !== undefined) this.#checkTable(node, argument, kind);
      const [, , statement] = node.arguments;
      if (callee.name === 'runAlone' && statement !== undefined) this.#checkQuery(node, statement);
    }
    if (callee.type !== 'MemberExpression' || argument === undefined) return;
    const name = this.#nameOfMember(callee);
    if (name === undefined) this.#checkUnknownMethod(node);
    else this.#checkMethod(node, callee, name, argument);
  }

  #checkMethod(
    node: Node & { type: 'CallExpression' | 'NewExpression' },
    callee: Node,
    name: string,
    argument: Node,
  ): void {
    const kind = methods.get(name) ?? (this.#isShared(callee, name) ? sharedMethods.get(name) : undefined);
    if (kind !== undefined) {
      // In a statement, the position of sql.table decides whether it is read or written.
      const isPlaced = name === 'table' && this.#source.parentOf(node)?.type === 'TemplateLiteral';
      this.#checkTable(node, argument, isPlaced ? 'read' : kind);
    }
    if (name === 'raw') this.#checkRaw(node, argument);
    if (name === 'ref' || name === 'id') this.#checkRef(node);
    if (name === 'query' || name === 'executeQuery') this.#checkQuery(node, argument);
  }

  #nameOfMember(callee: Node): string | undefined {
    if (callee.type !== 'MemberExpression') return undefined;
    if (!callee.computed) return propertyName(callee);
    const names = this.#constants.textsOf(callee.property);
    return names?.length === 1 ? names[0] : undefined;
  }

  /** `db[verb]('accounts')`. */
  #checkUnknownMethod(node: Node & { type: 'CallExpression' | 'NewExpression' }): void {
    const [argument] = node.arguments;
    const texts = argument && this.#constants.textsOf(argument);
    for (const text of texts ?? []) this.#checkUse(node, { kind: 'unclear', table: tableIn(text) });
  }

  #isShared(callee: Node, name: string): boolean {
    if (name !== 'from' || callee.type !== 'MemberExpression') return true;
    return !(callee.object.type === 'Identifier' && otherFrom.test(callee.object.name));
  }

  #checkTable(node: Node, argument: Node, kind: TableUse['kind']): void {
    const inner = unwrap(argument);
    if (inner.type === 'ArrayExpression') {
      for (const element of inner.elements) if (element !== null) this.#checkTable(node, element, kind);
      return;
    }
    // Callbacks and subqueries name their tables themselves.
    if (inner.type === 'ArrowFunctionExpression' || inner.type === 'FunctionExpression') return;
    if (inner.type === 'CallExpression' && propertyName(unwrap(inner.callee)) === 'as') return;
    if (inner.type === 'TaggedTemplateExpression') return;
    const texts = this.#constants.textsOf(inner);
    if (texts === undefined)
      this.#report(
        node,
        `a table is not named by a literal: ${this.#source.textOf(inner)}`,
        this.#source.textOf(inner),
      );
    for (const text of texts ?? []) {
      const table = tableIn(text);
      if (!this.#tables.has(table)) continue;
      this.#checkUse(node, { kind, table });
    }
  }

  #checkRaw(node: Node, argument: Node): void {
    const texts = this.#constants.textsOf(argument);
    if (texts === undefined)
      this.#report(
        node,
        `the text of a statement is not a literal: ${this.#source.textOf(argument)}`,
        this.#source.textOf(argument),
      );
    for (const text of texts ?? []) {
      for (const use of tableUses(text, (name) => this.#tables.has(name))) this.#checkUse(node, use);
    }
  }

  #checkRef(node: Node & { type: 'CallExpression' | 'NewExpression' }): void {
    for (const argument of node.arguments) {
      for (const text of this.#constants.textsOf(argument) ?? []) {
        const [table = ''] = text.split('.').filter((part) => part !== 'public');
        if (text.includes('.') || node.arguments.length > 1) this.#checkUse(node, { kind: 'read', table });
        else if (this.#tables.has(table)) this.#checkUse(node, { kind: 'unclear', table });
      }
    }
  }

  #checkQuery(node: Node, argument: Node): void {
    const inner = unwrap(argument);
    const field = inner.type === 'ObjectExpression' ? textField(inner) : undefined;
    const texts = this.#constants.textsOf(field ?? inner);
    if (texts === undefined)
      this.#report(
        node,
        `the text of a statement is not a literal: ${this.#source.textOf(argument)}`,
        this.#source.textOf(argument),
      );
    for (const text of texts ?? []) {
      for (const use of tableUses(text, (name) => this.#tables.has(name))) this.#checkUse(node, use);
    }
  }
}

const tableIn = (text: string): string =>
  text
    .trim()
    .split(/\s+as\s+|\s+/i)[0]
    ?.split('.')
    .at(-1)
    ?.replaceAll('"', '') ?? '';

function textField(node: Node & { type: 'ObjectExpression' }): Node | undefined {
  for (const property of node.properties) {
    if (property.type === 'Property' && 'name' in property.key && property.key.name === 'text') return property.value;
  }
  return undefined;
}
