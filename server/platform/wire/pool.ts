import pg from 'pg';
import { toError } from '../errors.ts';
import { assertReadStatement } from './read-statement.ts';
import { DatabaseClient, isOutdatedPlan, StatementNames, type AnyFunction, type Statement } from './database-client.ts';
import { DatabaseUnavailable, silentConnection, toDatabaseUnavailable } from './database-unavailable.ts';
import { PrimaryClient, type ClientConfig, type DatabaseServers } from './primary-client.ts';
import { maintenanceSettings, servingSettings, withSettings } from './session-settings.ts';
import { SilenceWatch, type SilenceTimeouts } from './silence-watch.ts';
import { assertNoOpenTransaction } from './single-connection.ts';

/** Address of PostgreSQL, or the socket of the embedded server. */
export interface Connection extends Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
> {
  /** Several servers, of which one is the primary. `connectionString` is that of the first. */
  readonly servers?: DatabaseServers;
}

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

/** A pool that throws DatabaseUnavailable if it has no connection, and ends within `times.end` in any case. */
class Pool extends pg.Pool {
  readonly #clients: Set<DatabaseClient>;
  readonly #closeMs: number;
  readonly #silenceWatch: SilenceWatch;
  readonly #assertUsable: (() => void) | undefined;

  constructor(
    config: pg.PoolConfig & ClientConfig,
    timeouts: PoolTimeouts,
    { isPooled = false, assertUsable }: PoolOptions,
  ) {
    const open = new Set<DatabaseClient>();
    const idle = new Set<DatabaseClient>();
    const names = new StatementNames();
    // Idle connections use the same route: each would cost its next user the same wait, or the same error.
    const destroyIdle = (): void => {
      const clients = [...idle];
      idle.clear();
      for (const client of clients) client.destroyIdle();
    };
    class Client extends DatabaseClient {
      constructor(clientConfig: ClientConfig = {}) {
        super(clientConfig, names, isPooled);
        open.add(this);
        this.once('end', () => {
          open.delete(this);
          idle.delete(this);
        });
        // Another server may be the primary now.
        if (clientConfig.servers !== undefined) this.once('error', destroyIdle);
      }

      override closeBroken(reason: string): void {
        super.closeBroken(reason);
        destroyIdle();
      }
    }
    super({ ...config, Client });
    this.on('acquire', (client) => idle.delete(client as unknown as DatabaseClient));
    this.on('release', (_error, client) => idle.add(client as unknown as DatabaseClient));
    this.#clients = open;
    this.#closeMs = timeouts.closeMs;
    // A statement that waits in a pooler has no session in PostgreSQL, and looks like one whose session ended.
    // The connections of a replica are closed by what looks at it.
    const pooledProbes = config.servers === undefined ? 'nothing' : 'primary';
    const probes = assertUsable !== undefined ? 'nothing' : isPooled ? pooledProbes : 'sessions';
    this.#silenceWatch = new SilenceWatch(config, timeouts, { connections: open, probes });
    this.#assertUsable = assertUsable;
  }

  override async connect(...args: Parameters<AnyFunction>): Promise<ReturnType<AnyFunction>> {
    assertNoOpenTransaction();
    this.#assertUsable?.();
    try {
      return await super.connect(...(args as []));
    } catch (error) {
      throw error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error);
    }
  }

  /** Runs one reading statement. Throws for statements that could make the connection writable. */
  override async query(...args: Parameters<AnyFunction>): Promise<ReturnType<AnyFunction>> {
    const [first, values] = args;
    const query = typeof first === 'string' ? { text: first, values } : first;
    assertReadStatement(query.text);
    const client = await this.connect();
    try {
      // With values, even if there are none, PostgreSQL refuses a text of several statements.
      const result = await client.query({ ...query, values: query.values ?? [] });
      client.release();
      return result;
    } catch (error) {
      client.release(error);
      throw error;
    }
  }

  /** Closes all connections; their statements fail at once. */
  destroyConnections(): void {
    for (const client of this.#clients)
      if (client.isWaiting) client.closeBroken(silentConnection);
      else client.destroyIdle();
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

export interface PoolOptions {
  readonly timeouts?: PoolTimeouts;
  /**
   * Whether a pooler such as PgBouncer is in between, which lends its connections for a transaction and refuses settings at
   * the start of a session. PostgreSQL keeps the settings with the role then (database/role-settings.ts).
   */
  readonly isPooled?: boolean;
  /** For a replica: throws DatabaseUnavailable while it must not be used. Called before a connection is lent. */
  readonly assertUsable?: () => void;
}

/**
 * Opens a pool of connections. A transaction may idle for 30 s. Transactions are read-only by default; `transaction`
 * and `writeStatement` override that.
 */
export function openPool(connection: Connection, size: number, options: PoolOptions = {}): pg.Pool {
  const { timeouts = poolTimeouts, isPooled = false } = options;
  const config: pg.PoolConfig & ClientConfig = {
    ...(isPooled ? connection : withSettings(connection, servingSettings(timeouts))),
    max: size,
    connectionTimeoutMillis: timeouts.connectMs,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  };
  const pool = new Pool(config, timeouts, options);
  pool.on('error', () => {});
  return pool;
}

/** Closes all connections of a pool of `openPool`. Their statements fail at once; later ones open others. */
export function destroyConnections(pool: pg.Pool): void {
  if (pool instanceof Pool) pool.destroyConnections();
}

/** Opens a connection that may write and has no timeouts, for migrations, repairs and bulk loads. The caller ends it. */
export async function connectForMaintenance(connection: Connection): Promise<pg.Client> {
  const client = new PrimaryClient({
    ...withSettings(connection, maintenanceSettings),
    application_name: 'fieldfare maintenance',
    connectionTimeoutMillis: poolTimeouts.connectMs,
    keepAlive: true,
  });
  // A connection may break while it is idle; its next statement throws the error.
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    throw toDatabaseUnavailable(error);
  });
  return client;
}

/** Takes a connection of a pool of `openPool`. The caller releases it. */
export async function takeClient(pool: pg.Pool): Promise<DatabaseClient & pg.PoolClient> {
  const client = await pool.connect();
  if (client instanceof DatabaseClient) return client;
  client.release();
  throw new Error('the pool was not opened by openPool');
}

/** Runs one statement in a transaction of its own, in one round trip. `start`: how the transaction begins. */
export async function runAlone<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  start: string,
  statement: Statement,
): Promise<pg.QueryResult<Row>> {
  const client = await takeClient(pool);
  try {
    return await runRepeatably(client, async () => {
      client.begin(start);
      const [result] = await client.commit([statement]);
      return result as pg.QueryResult<Row>;
    });
  } finally {
    client.release();
  }
}

/** SQLSTATE of a transaction that PostgreSQL ended so that another one, which waited for it in turn, can go on. */
const deadlockDetected = '40P01';

/**
 * Runs a transaction on a connection, and once more if it failed by a deadlock, or because a migration changed what its
 * prepared statements return. `run` must leave no transaction open.
 */
export async function runRepeatably<Result>(client: DatabaseClient, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (isOutdatedPlan(error)) return client.runUnprepared(run);
    if (toError(error).code === deadlockDetected) return run();
    throw error;
  }
}
