import { createHash, randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { assertNoOpenTransaction } from './single-connection.ts';
import { assertReadStatement } from './read-statement.ts';
import { setApplicationName, SilenceWatch, type SilenceTimeouts, type WatchedConnection } from './silence-watch.ts';
import type { Tables } from './tables.ts';
import { DatabaseUnavailable, silentConnection, toDatabaseUnavailable } from './database-unavailable.ts';

/** Address of PostgreSQL, or the socket of the embedded server. */
export type Connection = Pick<pg.ClientConfig, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>;

/** Timeouts of a pool, in milliseconds. */
export interface PoolTimeouts extends SilenceTimeouts {
  /** For a free connection and for opening a new one. */
  readonly connectMs: number;
  /** For a statement. PostgreSQL cancels it. */
  readonly statementMs: number;
  /** For a lock. PostgreSQL cancels the statement. */
  readonly lockMs: number;
  /** For the response to a statement. A connection that stays silent for longer is closed. */
  readonly responseMs: number;
  /** For connections to close when the pool ends. Then they are destroyed. */
  readonly closeMs: number;
}

export const poolTimeouts: PoolTimeouts = {
  connectMs: 10_000,
  statementMs: 60_000,
  lockMs: 15_000,
  responseMs: 65_000,
  closeMs: 5_000,
  suspicionMs: 4_000,
  probeMs: 2_000,
};

/** Idle time after which the kernel checks that the peer is still there. */
const keepAliveMs = 15_000;
/** Maximum age of a connection, so that the memory of its PostgreSQL session does not grow for ever. */
const maxLifetimeSeconds = 3_600;

const maxStatementNames = 2_000;
const statementNames = new Map<string, string>();

// pg declares a dozen overloads of each method; only the forms that `pg.Pool` and Kysely use are changed.
// oxlint-disable-next-line typescript/no-explicit-any
type AnyFunction = (...args: any[]) => any;

/**
 * How a statement begins that ends a transaction: it is sent together with the commit. What it returns is in its rows once
 * the commit is answered, and until then nothing is.
 */
const sentWithCommit = '/* sent with the commit */';

const transactionStart = /^(?:start transaction read write|set local (?:lock_timeout = \d+|enable_seqscan = off))$/;
const noResult = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };

/** A statement that is sent with the next one, because nothing waits for its result. */
interface DeferredStatement {
  readonly text: string;
  readonly values: unknown[];
  readonly isStart: boolean;
  /** What it returned, once it is answered. */
  readonly rows: unknown[];
}

/**
 * A connection that prepares every statement with parameters, so that PostgreSQL parses and plans it once. It sends the
 * start of a transaction together with the first statement, and counters and jobs together with the commit, so that each
 * costs no round trip, and nothing for a transaction without statements. Statements of a transaction that are sent before
 * earlier ones are answered share a round trip, too. Throws DatabaseUnavailable for errors of the connection, as opposed
 * to the statement.
 */
class PreparingClient extends pg.Client implements WatchedConnection {
  readonly #deferred: DeferredStatement[] = [];
  readonly applicationName = `fieldfare ${randomUUID()}`;

  constructor(config?: pg.ClientConfig) {
    super(config);
    setApplicationName(this, this.applicationName);
    // A connection may break while it is idle; the pool then replaces it.
    this.on('error', () => {});
  }

  override query(...args: Parameters<AnyFunction>): ReturnType<AnyFunction> {
    const [text, values = []] = args as [unknown, unknown[]?];
    if (typeof text === 'string') {
      const isStart = transactionStart.test(text);
      if (isStart || text.startsWith(sentWithCommit)) {
        const rows: unknown[] = [];
        this.#deferred.push({ text, values, isStart, rows });
        return Promise.resolve({ ...noResult, rows });
      }
      if (text === 'commit' || text === 'rollback') return this.#endTransaction(text);
    }
    return this.#deferred.length === 0 ? this.#send(args) : this.#sendTogether(args);
  }

  async #endTransaction(text: 'commit' | 'rollback'): Promise<unknown> {
    const isSent = !this.#deferred.some(({ isStart }) => isStart);
    const isEmpty = this.#deferred.every(({ isStart }) => isStart);
    if (text === 'rollback' || isEmpty) this.#deferred.length = 0;
    if (!isSent && (text === 'rollback' || isEmpty)) return { ...noResult, command: text.toUpperCase() };
    const answer = this.#deferred.length === 0 ? this.#send([text]) : this.#sendTogether([text]);
    this.once('drain', () => this.#pipeline(false));
    return answer;
  }

  /** Sends the deferred statements and another one. Rejects with the first error. */
  async #sendTogether(args: Parameters<AnyFunction>): Promise<unknown> {
    const deferred = this.#deferred.splice(0);
    this.#pipeline(true);
    const sent = [...deferred.map(({ text, values }) => this.#send([text, values])), this.#send(args)];
    const answers = await Promise.allSettled(sent as Promise<pg.QueryResult>[]);
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    const results = (answers as PromiseFulfilledResult<pg.QueryResult>[]).map(({ value }) => value);
    for (const [at, { rows }] of deferred.entries()) rows.push(...(results[at]?.rows ?? []));
    return results.at(-1);
  }

  #send(args: Parameters<AnyFunction>): ReturnType<AnyFunction> {
    const [text, values] = args;
    if ((this as { pipeline?: boolean }).pipeline === true) this.#writeTogether();
    if (typeof text === 'string' && Array.isArray(values)) {
      const name = statementName(text);
      // Both forms let PostgreSQL refuse a text of several statements.
      args.splice(0, 2, name === undefined ? { text, values, queryMode: 'extended' } : { name, text, values });
    }
    return translateErrors(args, super.query.bind(this), (error) => {
      // Left open, it would fail for every later user.
      if (error instanceof Error && error.message === 'Query read timeout') this.closeSilent();
    });
  }

  get isWaiting(): boolean {
    return (this as unknown as { readonly _activeQuery: unknown })._activeQuery !== null;
  }

  get transferredBytes(): number {
    const { bytesRead, bytesWritten, writableLength } = this.connection.stream as Socket;
    return bytesRead + bytesWritten - writableLength;
  }

  /**
   * Closes a connection whose peer does not answer. Its statements fail at once, and the pool does not lend it again, not
   * even before it is closed.
   */
  closeSilent(): void {
    this.connection.emit('error', new Error(silentConnection));
    this.destroyConnection();
  }

  /** Closes the connection while it is idle. The pool does not lend it again, not even before it is closed. */
  destroyIdle(): void {
    this.emit('error', new Error('another connection to the database does not respond'));
    this.destroyConnection();
  }

  /** Closes the connection without notifying PostgreSQL. */
  destroyConnection(): void {
    this.connection.stream.destroy();
  }

  /**
   * Runs one statement in a read-write transaction of its own. Sends `begin`, the statement and `commit` together, so
   * that all three cost one round trip. The statement must not be `begin`, `commit` or `rollback`. `withIndexes`: reads no
   * table as a whole if it has an index.
   */
  async writeAlone<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
    withIndexes: boolean,
  ): Promise<pg.QueryResult<Row>> {
    this.#pipeline(true);
    const begin = withIndexes
      ? this.query('begin read write; set local enable_seqscan = off')
      : this.query('begin read write');
    const sent = [begin, this.query(text, [...values]), this.query('commit')];
    const answers = await Promise.allSettled(sent as Promise<pg.QueryResult<Row>>[]);
    this.#pipeline(false);
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    return (answers[1] as PromiseFulfilledResult<pg.QueryResult<Row>>).value;
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

  /** Removes the timeout of statements. */
  disableQueryTimeout(): void {
    (this as unknown as { connectionParameters: { query_timeout: number } }).connectionParameters.query_timeout = 0;
  }
}

/** A pool that throws DatabaseUnavailable if it has no connection, and ends within `times.end` in any case. */
class Pool extends pg.Pool {
  readonly #clients: Set<PreparingClient>;
  readonly #closeMs: number;
  readonly #silenceWatch: SilenceWatch;

  constructor(config: pg.PoolConfig, timeouts: PoolTimeouts) {
    const open = new Set<PreparingClient>();
    const idle = new Set<PreparingClient>();
    class Client extends PreparingClient {
      constructor(clientConfig?: pg.ClientConfig) {
        super(clientConfig);
        open.add(this);
        this.once('end', () => {
          open.delete(this);
          idle.delete(this);
        });
      }

      // Idle connections use the same route: each would cost its next user the same wait.
      override closeSilent(): void {
        super.closeSilent();
        for (const client of idle) client.destroyIdle();
      }
    }
    super({ ...config, Client });
    this.on('acquire', (client) => idle.delete(client as unknown as PreparingClient));
    this.on('release', (_error, client) => idle.add(client as unknown as PreparingClient));
    this.#clients = open;
    this.#closeMs = timeouts.closeMs;
    this.#silenceWatch = new SilenceWatch(config, timeouts, open);
  }

  override connect(...args: Parameters<AnyFunction>): ReturnType<AnyFunction> {
    assertNoOpenTransaction();
    return translateErrors(args, super.connect.bind(this), undefined, (error) =>
      error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error),
    );
  }

  /** Runs one reading statement. Throws for statements that could make the connection writable. */
  override async query(...args: Parameters<AnyFunction>): Promise<ReturnType<AnyFunction>> {
    const [statement] = args as [string | { readonly text: string }];
    assertReadStatement(typeof statement === 'string' ? statement : statement.text);
    if (typeof statement === 'string' && args.length === 1) args.push([]);
    return translateErrors(args, super.query.bind(this));
  }

  override async end(): Promise<void> {
    const late = setTimeout(() => this.#clients.forEach((client) => client.destroyConnection()), this.#closeMs);
    await super.end();
    // pg's pool resolves once its connections were told to close; PostgreSQL may still be closing them.
    await Promise.all([...this.#clients].map((client) => new Promise<void>((resolve) => client.once('end', resolve))));
    clearTimeout(late);
    this.#silenceWatch.stop();
  }
}

/** Calls `run`, which takes a callback as its last argument or returns a promise, and converts its error. */
function translateErrors(
  args: unknown[],
  run: AnyFunction,
  onError: (error: unknown) => void = () => {},
  translate: (error: unknown) => unknown = toDatabaseUnavailable,
): unknown {
  const translated = (error: unknown): unknown => {
    onError(error);
    return translate(error);
  };
  const callback = args.at(-1);
  if (typeof callback === 'function') {
    const wrapped = (error: unknown, ...rest: unknown[]): unknown =>
      (callback as AnyFunction)(error ? translated(error) : error, ...rest);
    return run(...args.slice(0, -1), wrapped);
  }
  const result: unknown = run(...args);
  return result instanceof Promise ? result.catch((error: unknown) => Promise.reject(translated(error))) : result;
}

/**
 * Returns the name of a statement; the same text always has the same name. Beyond a limit texts get none, so that a
 * session does not fill up.
 */
export function statementName(text: string): string | undefined {
  const existing = statementNames.get(text);
  if (existing !== undefined || statementNames.size >= maxStatementNames) return existing;
  const name = createHash('sha1').update(text).digest('base64url');
  statementNames.set(text, name);
  return name;
}

const sessionSettings = '-c plan_cache_mode=force_generic_plan -c jit=off -c default_transaction_read_only=on';

/** Removes `options` from the address: pg would let them replace those of the pool. */
function withOptions(connection: Connection): Connection & { readonly options: string } {
  const { connectionString } = connection;
  const [, options = ''] = /[?&]options=([^&#]*)/u.exec(connectionString ?? '') ?? [];
  if (connectionString === undefined || options === '') return { ...connection, options: '' };
  const rest = connectionString.replace(/([?&])options=[^&#]*&?/u, '$1');
  return { ...connection, connectionString: rest, options: decodeURIComponent(options.replaceAll('+', ' ')) };
}

/**
 * Opens a pool of connections. A transaction may idle for 30 s. Transactions are read-only by default; `transaction`
 * and `writeStatement` override that.
 */
export function openPool(connection: Connection, size: number, timeouts: PoolTimeouts = poolTimeouts): pg.Pool {
  const { options, ...target } = withOptions(connection);
  const config: pg.PoolConfig = {
    ...target,
    max: size,
    connectionTimeoutMillis: timeouts.connectMs,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    statement_timeout: timeouts.statementMs,
    lock_timeout: timeouts.lockMs,
    query_timeout: timeouts.responseMs,
    idle_in_transaction_session_timeout: 30_000,
    options: `${options} ${sessionSettings}`,
  };
  const pool = new Pool(config, timeouts);
  pool.on('error', () => {});
  return pool;
}

/**
 * Lets a connection write and removes its timeout of statements, for migrations and bulk loads. The connection must not
 * return to the pool.
 */
export async function liftLimits(client: pg.PoolClient): Promise<void> {
  if (client instanceof PreparingClient) client.disableQueryTimeout();
  await client.query(`set default_transaction_read_only = off;
    set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`);
}

/** Runs one statement in a read-write transaction of its own, in one round trip. */
export async function writeThroughPool<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[],
  { withIndexes = false }: { readonly withIndexes?: boolean } = {},
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect();
  try {
    if (!(client instanceof PreparingClient)) throw new Error('the pool was not opened by openPool');
    return await client.writeAlone<Row>(text, values, withIndexes);
  } finally {
    client.release();
  }
}

export function openKysely(pool: PostgresPool, onQuery: () => void): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => {
      if (event.level === 'query') onQuery();
    },
  });
}
