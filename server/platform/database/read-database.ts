import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { assertReadStatement } from '../wire/read-statement.ts';
import { openKysely } from './query-builder.ts';
import type { Tables } from './tables.ts';

const reading = ['selectFrom', 'selectNoFrom', 'getExecutor'] as const;

/**
 * A read-only database, without methods that write. PostgreSQL refuses a write in raw SQL with 25006, because
 * transactions are read-only by default (`openPool`); `assertReadStatement` refuses statements that would change that. A
 * transaction also has this type, so that a query can run in either.
 */
export type ReadDatabase = Pick<Kysely<Tables>, (typeof reading)[number]>;

/** Returns the database of a pool, without methods that write, open transactions or take a connection. */
export function readDatabase(pool: pg.Pool, onQuery: () => void): ReadDatabase {
  const db = openKysely(readPool(pool), onQuery);
  return Object.fromEntries(reading.map((name) => [name, db[name].bind(db)])) as unknown as ReadDatabase;
}

/** Returns a pool whose connections refuse statements that could make them writable. */
function readPool(pool: pg.Pool): PostgresPool {
  const readClients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      const readClient = readClients.get(client) ?? readPoolClient(client);
      readClients.set(client, readClient);
      return readClient;
    },
  };
}

function readPoolClient(client: pg.PoolClient): PostgresPoolClient {
  const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    assertReadStatement(text);
    return client.query(text, [...values]);
  };
  // Kysely's types have a second form for cursors, which nothing uses.
  return { release: (destroy?: boolean) => client.release(destroy), query } as unknown as PostgresPoolClient;
}
