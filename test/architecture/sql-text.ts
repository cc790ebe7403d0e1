/** Marks a part of a statement that is known only at run time, with the text of its expression. */
export const hole = (expression: string): string => `\uE000${expression.replaceAll(/[\uE000\uE001]/g, '')}\uE001`;

/** How a statement uses a table. The name is undefined if it is a hole, which `expression` fills. */
export interface TableUse {
  readonly kind: 'read' | 'write' | 'unclear';
  readonly table: string | undefined;
  readonly expression?: string | undefined;
}

interface Token {
  /** A `name` is an identifier; a `word` is an unquoted one, so it may be a keyword. */
  readonly type: 'word' | 'name' | 'text' | 'hole' | 'sign';
  /** Identifiers as PostgreSQL reads them: in lower case unless quoted. */
  readonly value: string;
}

const pattern = new RegExp(
  [
    String.raw`(?<skip>\s+|--[^\n]*|/\*[\s\S]*?\*/)`,
    String.raw`(?<escaped>U&"(?:[^"]|"")*")`,
    String.raw`(?<quoted>"(?:[^"]|"")*")`,
    String.raw`(?<text>(?:E|B|X|U&)?'(?:[^'\\]|''|\\[\s\S])*')`,
    String.raw`(?<dollar>\$(?<tag>[A-Za-z_]*)\$[\s\S]*?\$\k<tag>\$)`,
    String.raw`\uE000(?<hole>[^\uE001]*)\uE001`,
    String.raw`(?<word>[\p{L}_][\p{L}\p{N}_$]*)`,
    String.raw`(?<sign>\d+(?:\.\d+)?|::|[\s\S])`,
  ].join('|'),
  'giuy',
);

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const { groups = {} } of withoutNestedComments(sql).matchAll(pattern)) {
    if (groups['skip'] !== undefined) continue;
    if (groups['hole'] !== undefined) tokens.push({ type: 'hole', value: groups['hole'] });
    else if (groups['word'] !== undefined) tokens.push({ type: 'word', value: groups['word'].toLowerCase() });
    else if (groups['quoted'] !== undefined) tokens.push({ type: 'name', value: unquoted(groups['quoted']) });
    // Escapes in a name have no use here; such a statement is reported.
    else if (groups['escaped'] !== undefined) tokens.push({ type: 'hole', value: '' });
    else if (groups['text'] !== undefined)
      tokens.push({ type: 'text', value: groups['text'].replace(/^\w*&?'|'$/g, '') });
    else if (groups['dollar'] !== undefined) {
      tokens.push({ type: 'text', value: groups['dollar'].replaceAll(/^\$\w*\$|\$\w*\$$/g, '') });
    } else tokens.push({ type: 'sign', value: groups['sign'] ?? '' });
  }
  return tokens;
}

const unquoted = (name: string): string => name.slice(1, -1).replaceAll('""', '"');

/** PostgreSQL nests block comments. */
function withoutNestedComments(sql: string): string {
  let text = sql;
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replaceAll(/\/\*(?:(?!\/\*)[\s\S])*?\*\//g, ' ');
  }
  return text;
}

/** Functions whose arguments are separated by `from`. */
const functionsWithFrom = new Set(['extract', 'substring', 'trim', 'overlay', 'position']);
/** Words between a verb and the name of a table. */
const fillers = new Set([
  'only',
  'if',
  'exists',
  'not',
  'table',
  'concurrently',
  'unlogged',
  'temporary',
  'temp',
  'lateral',
]);
/** Words that end a list of tables. */
const ends = new Set(
  'where group order limit offset fetch union intersect except on returning set for window having values select when then'.split(
    ' ',
  ),
);
/** Schemas that may precede a table. */
const schemas = new Set(['public', 'pg_temp']);

/**
 * Returns how a statement, or a part of one, uses tables. Besides the positions where PostgreSQL expects a table, each
 * mention of one of `known` counts: as the qualifier of a column it is a read, at an unknown position it is unclear.
 */
export function tableUses(sql: string, known: (name: string) => boolean): TableUse[] {
  return new Statement(tokensOf(sql), known).uses();
}

/** A table that follows a word; `isList`: more may follow it after a comma. */
interface Place {
  readonly kind: TableUse['kind'];
  readonly isList: boolean;
}

class Statement {
  readonly #tokens: readonly Token[];
  readonly #known: (name: string) => boolean;
  readonly #uses: TableUse[] = [];
  /** Tokens that belong to the name of a table where one is expected. */
  readonly #parts = new Set<number>();
  /** By depth of parentheses: how a table after a comma is used; undefined where no table follows. */
  readonly #lists: (TableUse['kind'] | undefined)[] = [undefined];
  /** By depth of parentheses: whether they belong to a function whose arguments `from` separates. */
  readonly #functions: boolean[] = [false];

  constructor(tokens: readonly Token[], known: (name: string) => boolean) {
    this.#tokens = tokens;
    this.#known = known;
  }

  uses(): TableUse[] {
    for (let at = 0; at < this.#tokens.length; at += 1) {
      const token = this.#tokens[at];
      if (token?.type === 'sign') at = this.#readSign(at, token.value);
      else if (token?.type === 'text') this.#readText(token.value);
      else if (token?.type === 'word' && !this.#isSign(at - 1, '.')) at = this.#readWord(at);
    }
    this.#readMentions();
    return this.#uses;
  }

  /** Reads a sign and what follows from it. Returns the last position read. */
  #readSign(at: number, sign: string): number {
    const kind = this.#lists.at(-1);
    if (sign === ',' && kind !== undefined) return this.#take(at + 1, kind) - 1;
    if (sign === ';') this.#endList();
    if (sign === '(') {
      this.#functions.push(this.#is(at - 1, ...functionsWithFrom));
      this.#lists.push(undefined);
    } else if (sign === ')' && this.#lists.length > 1) {
      this.#functions.pop();
      this.#lists.pop();
    }
    return at;
  }

  /** A text can be a statement itself, in `do`, `execute` or query_to_xml. */
  #readText(text: string): void {
    for (const use of tableUses(text, () => false)) if (use.table !== undefined) this.#uses.push(use);
  }

  #readWord(at: number): number {
    const place = this.#placeAfter(at);
    if (place !== undefined) {
      if (place.isList) this.#lists[this.#lists.length - 1] = place.kind;
      return this.#take(at + 1, place.kind) - 1;
    }
    if (this.#is(at, 'delete', 'insert', 'merge') && at === this.#tokens.length - 1) {
      this.#uses.push({ kind: 'write', table: undefined });
    }
    if (this.#is(at, ...ends)) this.#endList();
    return at;
  }

  #endList(): void {
    this.#lists[this.#lists.length - 1] = undefined;
  }

  #placeAfter(at: number): Place | undefined {
    switch (this.#tokens[at]?.value) {
      case 'from':
        return this.#placeAfterFrom(at);
      case 'join':
        return { kind: 'read', isList: true };
      case 'using':
        return this.#isSign(at + 1, '(') || this.#is(at - 1, 'index') ? undefined : { kind: 'read', isList: true };
      case 'into':
        return this.#is(at - 1, 'select') ? undefined : { kind: 'write', isList: false };
      case 'update': {
        const isOther = this.#is(at - 1, 'for', 'key', 'do', 'on') || this.#is(at + 1, 'set', 'of', 'skip', 'nowait');
        return isOther ? undefined : { kind: 'write', isList: false };
      }
      case 'table':
        return this.#placeAfterTable(at);
      case 'truncate':
      case 'copy':
      case 'lock':
      case 'reindex':
      case 'cluster':
        return this.#isStart(at) ? { kind: 'write', isList: true } : undefined;
      default:
        return undefined;
    }
  }

  #placeAfterFrom(at: number): Place | undefined {
    if (this.#is(at - 1, 'distinct') || this.#functions.at(-1) === true) return undefined;
    // An unknown verb can be `delete`.
    const isUnknown = at === 1 && this.#tokens[0]?.type === 'hole';
    if (isUnknown) this.#uses.push({ kind: 'unclear', table: this.#tokens[2]?.value });
    return { kind: this.#is(at - 1, 'delete') ? 'write' : 'read', isList: true };
  }

  #placeAfterTable(at: number): Place | undefined {
    if (this.#is(at - 1, 'alter', 'drop', 'create', 'unlogged', 'temporary', 'temp'))
      return { kind: 'write', isList: true };
    return this.#isStart(at) ? { kind: 'read', isList: true } : undefined;
  }

  /** Whether a statement can begin here. */
  #isStart(at: number): boolean {
    const before = this.#tokens[at - 1];
    if (before === undefined || before.type === 'hole') return true;
    return /^(?:[(;]|as|all|union|except|intersect|begin)$/.test(before.value);
  }

  /** Reads the table that begins at a token. Returns the position after it. */
  #take(start: number, kind: TableUse['kind']): number {
    let at = start;
    while (this.#is(at, ...fillers)) at += 1;
    if (at >= this.#tokens.length) {
      this.#uses.push({ kind, table: undefined });
      return at;
    }
    if (this.#tokens[at]?.type === 'sign' || this.#tokens[at]?.type === 'text') return at;
    let last = at;
    this.#parts.add(at);
    while (this.#isSign(last + 1, '.')) {
      last += 2;
      this.#parts.add(last);
    }
    const path = this.#tokens.slice(at, last + 1);
    const name = path.at(-1)?.value ?? '';
    const unknown = path.find(({ type }) => type === 'hole');
    if (unknown !== undefined) this.#uses.push({ kind, table: undefined, expression: unknown.value });
    // A function can take the place of a table that is read.
    else if (!this.#isSign(last + 1, '(') || kind === 'write' || this.#known(name))
      this.#uses.push({ kind, table: name });
    return last + 1;
  }

  #readMentions(): void {
    const columns = columnListsOf(this.#tokens);
    for (const [at, { type, value }] of this.#tokens.entries()) {
      const isName = (type === 'word' || type === 'name') && this.#known(value);
      if (!isName || this.#parts.has(at) || columns.has(at) || this.#is(at - 1, 'as')) continue;
      const isColumn = this.#isSign(at - 1, '.') && !schemas.has(this.#tokens[at - 2]?.value ?? '');
      if (!isColumn) this.#uses.push({ kind: this.#isSign(at + 1, '.') ? 'read' : 'unclear', table: value });
    }
  }

  #is(at: number, ...words: string[]): boolean {
    const token = this.#tokens[at];
    return token?.type === 'word' && words.includes(token.value);
  }

  #isSign(at: number, sign: string): boolean {
    const token = this.#tokens[at];
    return token?.type === 'sign' && token.value === sign;
  }
}

/** The positions of column names in `as alias (a, b)`. */
function columnListsOf(tokens: readonly Token[]): ReadonlySet<number> {
  const places = new Set<number>();
  for (const [at, token] of tokens.entries()) {
    if (token.value !== '(' || tokens[at - 2]?.value !== 'as' || tokens[at - 1]?.type === 'sign') continue;
    if (tokens[at - 1]?.value === 'materialized') continue;
    for (let inner = at + 1; inner < tokens.length && tokens[inner]?.value !== ')'; inner += 1) places.add(inner);
  }
  return places;
}

/** Whether an untagged text is a statement. */
export const looksLikeSql = (text: string): boolean =>
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|[(;])*(?:with|select|insert|update|delete|merge|truncate|copy|lock|alter|drop|create|table|do|begin|explain|declare|prepare|execute|call|refresh|reindex|cluster)\b/i.test(
    text,
  );
