import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { inject } from 'vitest';
import { openPool } from '../server/platform/wire/pool.ts';
import { DatabaseUnavailable } from '../server/platform/wire/database-unavailable.ts';

const templateDatabase = 'fieldfare_template';

/** Maximum number of databases of this process that wait for their next server. */
const maxIdleDatabases = 4;

/**
 * PostgreSQL plans queries of a table that was never vacuumed as if it had ten pages. A table that has grown beyond that
 * could get different plans than an empty one.
 */
const maxTableBytes = 10 * 8_192;

/** A plan for an empty table is too slow for one that a test fills with this many rows. */
const manyRows = 100;

/** Returns how many rows a statement inserted, by its command tag, such as `INSERT 0 500`. */
const countInserted = (tag: string): number => Number(/^INSERT 0 (\d+)/.exec(tag)?.[1] ?? 0);

/** Does what `discard all` does, but keeps prepared statements and their plans, which would cost most of a test. */
const resetSession = `close all; set session authorization default; reset all; unlisten *;
  select pg_advisory_unlock_all(); discard temp; discard sequences`;

/** A database for one test server after the other, with connections that the servers share. */
export class TestDatabase {
  readonly name: string;
  /** Connections of the server. */
  readonly serverPool: pg.Pool;
  /** Writable connections of the test. */
  readonly testPool: pg.Pool;
  /** A connection without triggers of foreign keys. It keeps its plans, which a change of that setting would discard. */
  readonly #resetPool: pg.Pool;

  private constructor(name: string) {
    this.name = name;
    const connection = { ...inject('connection'), database: name };
    this.serverPool = openPool(connection, 6);
    this.testPool = new pg.Pool({ ...connection, max: 2 });
    this.#resetPool = new pg.Pool({
      ...connection,
      max: 1,
      idleTimeoutMillis: 0,
      options: '-c session_replication_role=replica',
    });
    for (const pool of [this.testPool, this.#resetPool]) pool.on('error', () => {});
    this.testPool.on('connect', ({ connection: messages }) => {
      messages.on('commandComplete', ({ text }: { text: string }) => {
        if (countInserted(text) >= manyRows) void this.#discardPlans();
      });
    });
  }

  static async create(): Promise<TestDatabase> {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await runAsAdmin(`create database ${name} template ${templateDatabase} strategy file_copy`);
    const database = new TestDatabase(name);
    statements ??= await composeStatements(database.testPool);
    return database;
  }

  /**
   * Deletes all rows that a new database does not have, and resets sequences and sessions. Returns false if something else
   * still differs from a new database: its schema, planner statistics, large tables, or connections that others have opened.
   */
  async reset(): Promise<boolean> {
    if (statements === undefined) return false;
    if (!(await hasReturned(this.serverPool)) || !(await hasReturned(this.testPool))) return false;
    await this.#resetPool.query(statements.deleteRows);
    if (!(await this.#isLikeNew(statements))) {
      await this.#resetPool.query(statements.restoreSeeds);
      if (!(await this.#isLikeNew(statements))) return false;
    }
    const sessions = await this.#resetPool.query<{ count: number }>(countSessions);
    const pools = [this.serverPool, this.testPool, this.#resetPool];
    if (sessions.rows[0]?.count !== pools.reduce((sum, { totalCount }) => sum + totalCount, 0)) return false;
    await Promise.all([this.serverPool, this.testPool].map((pool) => queryAll(pool, resetSession)));
    return true;
  }

  async #isLikeNew({ readState, newState }: Statements): Promise<boolean> {
    const { rows } = await this.#resetPool.query<{ state: string }>(readState);
    return rows[0]?.state === newState;
  }

  async #discardPlans(): Promise<void> {
    await queryAll(this.serverPool, 'discard plans').catch(() => {});
  }

  async drop(): Promise<void> {
    // A connection that was not returned would never end by itself.
    void this.serverPool.end();
    void this.testPool.end();
    void this.#resetPool.end();
    await runAsAdmin(`drop database ${this.name} with (force)`);
  }
}

const idleDatabases: TestDatabase[] = [];

/** Returns a database that does not differ from a new one. */
export async function takeDatabase(): Promise<TestDatabase> {
  for (let database = idleDatabases.pop(); database !== undefined; database = idleDatabases.pop()) {
    const isReset = await database.reset().catch(() => false);
    if (isReset) return database;
    await database.drop();
  }
  return TestDatabase.create();
}

/** Keeps a database whose server has stopped for the next one. */
export async function returnDatabase(database: TestDatabase): Promise<void> {
  if (idleDatabases.length < maxIdleDatabases) idleDatabases.push(database);
  else await database.drop();
}

/** Returns a pool that uses the connections of `pool`. When it ends, they must have been returned, and stay open. */
export function lend(pool: pg.Pool): pg.Pool {
  let isEnded = false;
  const refuse = (): Promise<never> =>
    Promise.reject(new DatabaseUnavailable(new Error('Cannot use a pool after calling end on the pool')));
  const end = async (): Promise<void> => {
    isEnded = true;
    if (!(await hasReturned(pool))) throw new Error('a connection to the database was not returned to its pool');
  };
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'end') return end;
      if (isEnded && (name === 'connect' || name === 'query')) return refuse;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Waits up to a minute until all connections are returned to a pool. Returns whether they are. */
async function hasReturned(pool: pg.Pool): Promise<boolean> {
  const signal = AbortSignal.timeout(60_000);
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) {
    if (signal.aborted) return false;
    await once(pool, 'release', { signal }).catch(() => {});
  }
  return true;
}

/** Sends a statement on every idle connection of a pool. */
async function queryAll(pool: pg.Pool, statement: string): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  try {
    await Promise.all(clients.map((client) => client.query(statement)));
  } finally {
    for (const client of clients) client.release();
  }
}

interface Statements {
  readonly deleteRows: pg.QueryConfig;
  /** Stores the rows again that a new database has, such as roles, where tests changed them. */
  readonly restoreSeeds: string;
  readonly readState: pg.QueryConfig;
  /** The result of `readState` for a new database. */
  readonly newState: string;
}

let statements: Statements | undefined;

/** All connections to the database. */
const countSessions = {
  name: 'count_sessions',
  text: `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'`,
};

/** Composes the statements that reset a database, by means of a new one. */
async function composeStatements(pool: pg.Pool): Promise<Statements> {
  const { rows: tables } = await pool.query<{ name: string; columns: string; has_rows: boolean }>(
    `select oid::regclass::text as name, pg_relation_size(oid) > 0 as has_rows,
        (select string_agg(quote_ident(attname), ', ') from pg_attribute
          where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
      from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
  );
  const deletions = tables
    .filter(({ has_rows }) => !has_rows)
    .map(({ name }, index) => `deletion_${index} as (delete from ${name})`);
  const seeded = tables.filter(({ has_rows }) => has_rows);
  const seeds = seeded.map(({ name }) => `(select string_agg(seed::text, ';' order by seed::text) from ${name} seed)`);
  const restorations: string[] = [];
  for (const { name, columns } of seeded) {
    const { rows } = await pool.query<{ json: string }>(`select json_agg(seed)::text as json from ${name} seed`);
    const seed = `json_populate_recordset(null::${name}, ${pg.escapeLiteral(rows[0]?.json ?? '[]')}) seed`;
    restorations.push(
      `delete from ${name} stored where stored::text not in (select seed::text from ${seed})`,
      `insert into ${name} (${columns}) overriding system value
        select ${columns} from ${seed} where seed::text not in (select stored::text from ${name} stored)`,
    );
  }
  const deleteRows = {
    name: 'delete_rows',
    text: `with ${deletions.join(', ')} select count(setval(seqrelid::regclass, seqstart, false)) from pg_sequence`,
  };
  const readState = {
    name: 'read_state',
    text: `select concat_ws('/', ${[...seeds, ...stateOfSchema].join(', ')}) as state`,
  };
  const { rows } = await pool.query<{ state: string }>(readState);
  return { deleteRows, restoreSeeds: restorations.join(';'), readState, newState: rows[0]?.state ?? '' };
}

/** Every row of a catalog changes its `xmin` when it changes. */
const versions = (catalog: string): string => `(select concat(count(*), ' ', sum(xmin::text::bigint)) from ${catalog})`;

const stateOfSchema = [
  versions('pg_attribute where attrelid >= 16384'),
  ...['pg_class', 'pg_constraint', 'pg_namespace', 'pg_trigger', 'pg_extension', 'pg_event_trigger'].map(versions),
  versions('pg_proc where oid >= 16384'),
  versions('pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())'),
  // Planner statistics, which are stored in place.
  '(select count(*) from pg_statistic)',
  `(select concat(sum(reltuples), ' ', sum(relpages), ' ', bool_or(pg_relation_size(oid) > ${maxTableBytes}))
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace)`,
];

let admin: Promise<pg.Client> | undefined;

async function runAsAdmin(statement: string): Promise<void> {
  admin ??= connectAdmin();
  await (await admin).query(statement);
}

async function connectAdmin(): Promise<pg.Client> {
  const client = new pg.Client({ ...inject('connection'), database: 'postgres' });
  await client.connect();
  client.on('error', () => {});
  return client;
}
