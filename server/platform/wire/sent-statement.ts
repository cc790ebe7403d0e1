import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import { toError } from '../errors.ts';

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** The columns of a result. */
export interface ResultColumns {
  readonly fields: pg.FieldDef[];
  readonly columns: readonly Column[];
  /** A row of nulls. Its copies have the same properties in the same order, so that V8 reads them fast. */
  readonly emptyRow: pg.QueryResultRow;
}

/** What pg's connection has, and its types lack. */
interface PgConnection {
  /** Texts of the prepared statements by name: those that PostgreSQL has, and those that are on their way to it. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(statement: {
    readonly statement: string;
    readonly values: readonly unknown[];
    readonly valueMapper: typeof prepareValue;
  }): void;
  describe(portal: { readonly type: 'P' }): void;
  execute(portal: object): void;
}

/** pg refuses to pipeline what is not its own `Query`. */
const PgQuery = pg.Query as unknown as new (text: string) => object;

const noColumns: ResultColumns = { fields: [], columns: [], emptyRow: {} };
const completedCommand = /^([A-Za-z]+)(?: (\d+))?(?: (\d+))?/u;

/**
 * A statement on its way, in the place of pg's own: without an event emitter, callbacks and a timer for each, and with the
 * columns of its result known from the last time. pg calls its methods with what arrives.
 */
export class SentStatement extends PgQuery {
  readonly text: string;
  /** Of the prepared statement. pg reads it. */
  readonly name: string | undefined;
  readonly values: readonly unknown[] | undefined;
  readonly #columnsOf: Map<string, ResultColumns> | undefined;
  #columns: ResultColumns | undefined;
  readonly #rows: pg.QueryResultRow[] = [];
  #command = '';
  #rowCount: number | null = null;
  #failure: Error | undefined;
  readonly #result = Promise.withResolvers<pg.QueryResult>();

  /**
   * Without `values`, the text may be several statements, and the result is that of the last. `columnsOf`: the columns of
   * the prepared statements of its connection.
   */
  constructor(
    {
      text,
      values,
      name,
    }: { readonly text: string; readonly values?: readonly unknown[] | undefined; readonly name?: string | undefined },
    columnsOf?: Map<string, ResultColumns>,
  ) {
    super(text);
    this.text = text;
    this.values = values;
    this.name = name;
    this.#columnsOf = columnsOf;
  }

  get result(): Promise<pg.QueryResult> {
    return this.#result.promise;
  }

  submit(connection: pg.Connection): void {
    if (this.values === undefined) {
      connection.query(this.text);
      return;
    }
    connection.stream.cork();
    try {
      this.#execute(connection as unknown as PgConnection, this.values);
    } catch (error) {
      // PostgreSQL has executed nothing then, and answers the sync.
      this.#failure = toError(error);
    }
    connection.sync();
    connection.stream.uncork();
  }

  #execute(connection: PgConnection, values: readonly unknown[]): void {
    const { text, name = '' } = this;
    const { parsedStatements, submittedNamedStatements } = connection;
    if (name === '') connection.parse({ name, text });
    else if ((parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
      connection.parse({ name, text });
      submittedNamedStatements[name] = text;
    }
    this.#columns = this.#columnsOf?.get(name);
    connection.bind({ statement: name, values, valueMapper: prepareValue });
    if (this.#columns === undefined) connection.describe({ type: 'P' });
    connection.execute({});
  }

  handleRowDescription({ fields }: { readonly fields: pg.FieldDef[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: pg.types.getTypeParser(dataTypeID, 'text') }));
    this.#columns = { fields, columns, emptyRow: Object.fromEntries(fields.map(({ name }) => [name, null])) };
    this.#rows.length = 0;
  }

  handleDataRow({ fields: texts }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#failure !== undefined) return;
    const { columns, emptyRow } = this.#columns ?? noColumns;
    const row = { ...emptyRow };
    try {
      let at = 0;
      for (const { name, parse } of columns) {
        const text = texts[at];
        at += 1;
        if (text !== null && text !== undefined) row[name] = parse(text);
      }
    } catch (error) {
      this.#failure = toError(error);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const [, command = '', first, second] = completedCommand.exec(text) ?? [];
    const count = second ?? first;
    this.#command = command;
    this.#rowCount = count === undefined ? null : Number(count);
    if (this.name !== undefined) this.#columnsOf?.set(this.name, this.#columns ?? noColumns);
  }

  handleReadyForQuery(): void {
    if (this.#failure !== undefined) {
      this.#result.reject(this.#failure);
      return;
    }
    this.#result.resolve({
      command: this.#command,
      rowCount: this.#rowCount,
      oid: 0,
      rows: this.#rows,
      fields: (this.#columns ?? noColumns).fields,
    });
  }

  handleError(error: Error): void {
    this.#result.reject(this.#failure ?? error);
  }
}
