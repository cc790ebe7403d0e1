import pg from 'pg';
import type { Connection } from '../../platform/wire/pool.ts';
import { PrimaryClient } from '../../platform/wire/primary-client.ts';
import { maintenanceSettings, withSettings } from '../../platform/wire/session-settings.ts';
import { tryLockMigrations } from '../../platform/database/migrate.ts';
import type { DatabaseDescription } from '../archive/documents.ts';
import { BackupError } from '../backup-error.ts';

/** A snapshot of the database, with the size of its tables for progress. */
export interface Snapshot {
  readonly client: pg.Client;
  readonly description: DatabaseDescription;
  /** Bytes on disk by table, without indexes. */
  readonly sizes: ReadonlyMap<string, number>;
}

interface TableRow {
  readonly name: string;
  readonly columns: string[];
  readonly size: string;
}

/** Unlogged tables are left out: a crash empties them too. Generated columns are computed again. */
const tablesQuery = `
  select c.relname as name, pg_table_size(c.oid) as size, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.oid, c.relname order by c.relname`;

/**
 * Runs `use` in one read-only snapshot of the database on a connection of its own. Migrations of other processes wait
 * meanwhile: one would wait for the tables, and everyone else for it. Throws BackupError if one runs or there is no
 * instance.
 */
export async function withSnapshot<Result>(
  connection: Connection,
  use: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const client = new PrimaryClient({
    ...withSettings(connection, { ...maintenanceSettings, lock_timeout: '15000' }),
    application_name: 'fieldfare backup',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`set bytea_output = 'hex'; set datestyle = 'ISO'; set extra_float_digits = 3`);
    if (!(await tryLockMigrations(client)))
      throw new BackupError('The database is being migrated. Try again when the server is ready.');
    await client.query('begin isolation level repeatable read, read only');
    return await use({ client, ...(await describe(client)) });
  } finally {
    await client.end().catch(() => {});
  }
}

async function describe(client: pg.Client): Promise<Omit<Snapshot, 'client'>> {
  const { rows: tables } = await client.query<TableRow>(tablesQuery);
  if (!tables.some(({ name }) => name === 'migrations'))
    throw new BackupError('The database is empty: there is nothing to back up.');
  const { rows: migrations } = await client.query<DatabaseDescription['migrations'][number]>(
    'select name, checksum from migrations order by name',
  );
  return {
    description: {
      migrations,
      tables: tables.map(({ name, columns }) => ({ name, columns })),
      sequences: await describeSequences(client),
    },
    sizes: new Map(tables.map(({ name, size }) => [name, Number(size)])),
  };
}

/** Sequences are not part of a snapshot: their values may be higher than the rows need, which is harmless. */
async function describeSequences(client: pg.Client): Promise<DatabaseDescription['sequences']> {
  const { rows: names } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`,
  );
  const sequences: DatabaseDescription['sequences'] = [];
  for (const { name } of names) {
    const quoted = pg.escapeIdentifier(name);
    const statement = `select last_value::text as value, is_called from ${quoted}`;
    const { rows } = await client.query<{ value: string; is_called: boolean }>(statement);
    if (rows[0] !== undefined) sequences.push({ name, ...rows[0] });
  }
  return sequences;
}
