import { createHash, randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { isRefusedByStandby, standbyConnection, toCommitError, toDatabaseUnavailable } from './database-unavailable.ts';
import { PrimaryClient, type ClientConfig } from './primary-client.ts';
import { SentStatement, type ResultColumns } from './sent-statement.ts';
import { setApplicationName, type WatchedConnection } from './silence-watch.ts';
import { startStatementSpan } from './statement-span.ts';
import { errorTypeOf } from '../tracing/span.ts';

/** A statement with the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

// pg declares a dozen overloads of each method; only the forms that `pg.Pool` and Kysely use are changed.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyFunction = (...args: any[]) => any;

/** Names of prepared statements, at most 2,000, so that a session does not fill up. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  static readonly max = 2_000;

  /** Returns the name of a text, always the same; undefined beyond the limit. */
  get(text: string): string | undefined {
    const existing = this.#names.get(text);
    if (existing !== undefined || this.#names.size >= StatementNames.max) return existing;
    const name = createHash('sha1').update(text).digest('base64url');
    this.#names.set(text, name);
    return name;
  }
}

/**
 * A connection that prepares every statement with parameters, so that PostgreSQL parses and plans it once. The start of a
 * transaction is sent with its first statement, and so costs no round trip, and nothing if there is none. In a transaction
 * statements are sent without waiting for those before. Throws DatabaseUnavailable for errors of the connection, as
 * opposed to the statement.
 */
export class DatabaseClient extends PrimaryClient implements WatchedConnection {
  readonly #names: StatementNames;
  /** Those of the prepared statements that this connection has run. PostgreSQL refuses them once their columns change. */
  readonly #columnsOf: Map<string, ResultColumns> | undefined;
  /** Whether statements are sent without being prepared. */
  #isUnprepared = false;
  /** The start of the open transaction, until it is sent. */
  #unsentStart: string | undefined;
  readonly applicationName = `fieldfare ${randomUUID()}`;

  constructor(config: ClientConfig, names: StatementNames, isPooled = false) {
    super(config);
    this.#names = names;
    // Behind a pooler, a later session may have prepared the statement after its columns changed.
    this.#columnsOf = isPooled ? undefined : new Map();
    setApplicationName(this, this.applicationName);
    // A connection may break while it is idle; the pool then replaces it.
    this.on('error', () => {});
  }

  /** Begins a transaction. `start`: one or more statements without parameters. If they fail, so does the first statement. */
  begin(start: string): void {
    this.#unsentStart = start;
  }

  override query(...args: Parameters<AnyFunction>): ReturnType<AnyFunction> {
    if (this.#unsentStart === undefined) return this.#send(args);
    return this.#sendTogether([[this.#takeStart()], args]).then((results) => results.at(-1));
  }

  /**
   * Sends these statements and the commit together, and returns the results of the statements. Throws the first error; then
   * nothing was committed, or the connection broke and it is not known.
   */
  async commit(statements: readonly Statement[] = []): Promise<pg.QueryResult[]> {
    if (this.#unsentStart !== undefined && statements.length === 0) {
      this.#unsentStart = undefined;
      return [];
    }
    const start = this.#unsentStart === undefined ? [] : [[this.#takeStart()]];
    const answers = this.#sendTogether([...start, ...statements.map(({ text, values }) => [text, values]), ['commit']]);
    this.once('drain', () => this.#pipeline(false));
    const results = await answers.catch((error: unknown) => Promise.reject(toCommitError(error)));
    if (results.at(-1)?.command === 'ROLLBACK')
      throw new Error('PostgreSQL rolled the transaction back, because a statement had failed');
    return results.slice(start.length, -1);
  }

  /** Rolls the transaction back. Closes the connection if that fails. */
  async rollback(): Promise<void> {
    const isSent = this.#unsentStart === undefined;
    this.#unsentStart = undefined;
    if (!isSent) return;
    try {
      await this.#send(['rollback']);
    } catch {
      this.destroyConnection();
    }
    this.#pipeline(false);
  }

  #takeStart(): string | undefined {
    const start = this.#unsentStart;
    this.#unsentStart = undefined;
    return start;
  }

  /** Throws the first error, when all are answered. */
  async #sendTogether(statements: readonly Parameters<AnyFunction>[]): Promise<pg.QueryResult[]> {
    this.#pipeline(true);
    const sent: Promise<pg.QueryResult>[] = statements.map((args) => this.#send([...args]));
    const answers = await Promise.allSettled(sent);
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  }

  #send(args: Parameters<AnyFunction>): ReturnType<AnyFunction> {
    if ((this as { pipeline?: boolean }).pipeline === true) this.#writeTogether();
    const [first, values, callback] = args;
    const query = typeof first === 'string' ? { text: first, values } : first;
    // For pg: COPY, rows as arrays, and callbacks.
    const isOther = query.submit !== undefined || query.rowMode !== undefined;
    if (isOther || typeof values === 'function' || callback !== undefined) return super.query(first, values, callback);
    return this.#run(query);
  }

  /**
   * Deletes the prepared statements of this session, because a migration changed the columns that they return, and calls
   * `run`, whose statements are not prepared: a pooler may lend it another session, which has the old ones.
   */
  async runUnprepared<Result>(run: () => Promise<Result>): Promise<Result> {
    const { connection } = this as unknown as { readonly connection: { parsedStatements: Record<string, string> } };
    connection.parsedStatements = {};
    this.#columnsOf?.clear();
    await super.query('deallocate all');
    this.#isUnprepared = true;
    return run().finally(() => (this.#isUnprepared = false));
  }

  async #run(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const { text, values, name } = query;
    // Outside of a transaction nothing else has to be repeated.
    const isRepeatable = !this.#isUnprepared && (this as { pipeline?: boolean }).pipeline !== true;
    const isPrepared = values !== undefined && !this.#isUnprepared;
    const preparedName = isPrepared ? (name ?? this.#names.get(text)) : undefined;
    const statement = new SentStatement({ text, values, name: preparedName }, this.#columnsOf);
    const span = startStatementSpan(text);
    super.query(statement);
    try {
      const result = await statement.result;
      span?.end();
      return result;
    } catch (error) {
      span?.end(errorTypeOf(error));
      if (isRepeatable && isOutdatedPlan(error)) return this.runUnprepared(() => this.#run(query));
      // The error was created when the answer arrived; from here it leads to the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      // A pooler, or another address in between, leads to a server that was the primary.
      if (isRefusedByStandby(error)) this.closeBroken(standbyConnection);
      throw toDatabaseUnavailable(error);
    }
  }

  get isWaiting(): boolean {
    return (this as unknown as { readonly _activeQuery: unknown })._activeQuery !== null;
  }

  get transferredBytes(): number {
    const { bytesRead, bytesWritten, writableLength } = this.connection.stream as Socket;
    return bytesRead + bytesWritten - writableLength;
  }

  /** Closes a connection. Its statements fail at once, and the pool does not lend it again, not even before it is closed. */
  closeBroken(reason: string): void {
    this.connection.emit('error', new Error(reason));
    this.destroyConnection();
  }

  /** Closes the connection while it is idle. The pool does not lend it again, not even before it is closed. */
  destroyIdle(): void {
    this.emit('error', new Error('another connection to the database broke'));
    this.destroyConnection();
  }

  /** Closes the connection without notifying PostgreSQL. */
  destroyConnection(): void {
    this.connection.stream.destroy();
  }

  /** Writes what is sent in this turn at once: each write is a system call, and wakes PostgreSQL. */
  #writeTogether(): void {
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  /** Whether queries are sent before earlier ones are answered. pg reads this for every query. */
  #pipeline(isOn: boolean): void {
    (this as { pipeline: boolean }).pipeline = isOn;
  }
}

/**
 * Whether a prepared statement failed because a migration changed the columns that it returns, for example of `select *`.
 * It succeeds by `runUnprepared`.
 */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === '0A000' &&
  error.message === 'cached plan must not change result type';
