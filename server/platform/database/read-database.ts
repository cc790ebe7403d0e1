import type { Kysely } from 'kysely';
import type pg from 'pg';
import { perApp } from '../app.ts';
import { openKysely } from './connect.ts';
import type { Tables } from './tables.ts';

const reading = ['selectFrom', 'selectNoFrom', 'getExecutor'] as const;

/**
 * A read-only database, without methods that write. PostgreSQL refuses a write in raw SQL with 25006, because
 * transactions are read-only by default (`openPool`). A transaction also has this type, so that a query can run in
 * either.
 */
export type ReadDatabase = Pick<Kysely<Tables>, (typeof reading)[number]>;

/** Returns the database of a pool, without methods that write, open transactions or take a connection. */
export function readDatabase(pool: pg.Pool, onQuery: () => void): ReadDatabase {
  const db = openKysely(pool, onQuery);
  return Object.fromEntries(reading.map((name) => [name, db[name].bind(db)])) as unknown as ReadDatabase;
}

/** Returns the database with all methods of Kysely. Only for the files of this folder that open transactions. */
export const fullDatabase = perApp((app) => openKysely(app.pool, () => (app.queries.count += 1)));
