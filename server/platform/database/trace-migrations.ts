import type pg from 'pg';
import { createSchema, splitStatements } from './migrate.ts';
import type { Migration, MigrationKind } from './migrations.ts';

/** What a migration does to a table that existed before it. */
export interface TableUse {
  readonly table: string;
  /** The strongest lock that it takes, as PostgreSQL names it: `ShareLock`. It keeps it until it ends. */
  readonly lock: string;
  /** What others cannot do meanwhile. `changes of the same rows`: it locks the rows that it changes. */
  readonly blocks: 'nothing' | 'changes of the same rows' | 'writes' | 'reads and writes';
  /** Tables whose rows it reads, checks, copies or indexes while it has the lock, which takes longer the more there are. */
  readonly reads: readonly string[];
}

export interface TracedMigration {
  readonly name: string;
  readonly kind: MigrationKind;
  readonly tables: readonly TableUse[];
}

/** From the weakest to the strongest. */
const lockModes = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
];

/**
 * The tables, with how often this session read them, which PostgreSQL counts also when it checks a constraint or builds an
 * index.
 */
const tablesQuery = `select pg_class.oid::text, pg_class.relname as name, relfilenode::text as file,
    coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as reads,
    array(select indexrelid::text from pg_index where indrelid = pg_class.oid) as indexes
  from pg_class left join pg_stat_xact_user_tables on relid = pg_class.oid
  where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
  order by name`;

const locksQuery = `select relation::text as oid, mode from pg_locks
  where locktype = 'relation' and pid = pg_backend_pid() and granted
    and database = (select oid from pg_database where datname = current_database())`;

/**
 * Returns what migrations lock, by running them in an empty database, which gets the schema of `applied` first. The caller
 * drops the database.
 */
export async function traceMigrations(
  client: pg.ClientBase,
  { applied, pending }: { readonly applied: readonly Migration[]; readonly pending: readonly Migration[] },
): Promise<TracedMigration[]> {
  await client.query('begin');
  await createSchema(client, applied);
  await client.query('commit');
  const traced: TracedMigration[] = [];
  for (const migration of pending) {
    const tables = migration.noTransaction
      ? await traceStatements(client, migration)
      : await trace(client, migration.sql);
    traced.push({ name: migration.name, kind: migration.kind, tables });
  }
  return traced;
}

async function trace(client: pg.ClientBase, text: string): Promise<TableUse[]> {
  await client.query('begin');
  const before = await listTables(client);
  await client.query(text);
  const { rows: locks } = await client.query<{ oid: string; mode: string }>(locksQuery);
  const after = new Map((await listTables(client)).map((table) => [table.oid, table]));
  await client.query('commit');
  const isRead = ({ oid, file, reads }: TableState): boolean => {
    const now = after.get(oid);
    return now !== undefined && (now.file !== file || now.reads !== reads);
  };
  const allRead = before.filter(isRead).map(({ name }) => name);
  return before.flatMap((table) => {
    const related = new Set([table.oid, ...table.indexes]);
    const rank = Math.max(...locks.filter(({ oid }) => related.has(oid)).map(({ mode }) => lockModes.indexOf(mode)));
    const lock = lockModes[rank];
    if (lock === undefined) return [];
    const blocks = blockedBy(rank, isRead(table));
    // Others wait for the whole transaction, also while it reads the rows of another table.
    const reads = allRead.filter((name) => blocks !== 'nothing' || name === table.name);
    return [{ table: table.name, lock, blocks, reads }];
  });
}

interface TableState {
  readonly oid: string;
  readonly name: string;
  /** Changes when the table is copied. */
  readonly file: string;
  readonly reads: string;
  readonly indexes: readonly string[];
}

async function listTables(client: pg.ClientBase): Promise<TableState[]> {
  return (await client.query<TableState>(tablesQuery)).rows;
}

/** A statement that changes rows of a table takes the lock `RowExclusiveLock` on it, and reads it to find them. */
function blockedBy(rank: number, isRead: boolean): TableUse['blocks'] {
  if (rank === lockModes.length - 1) return 'reads and writes';
  if (rank >= lockModes.indexOf('ShareLock')) return 'writes';
  return isRead && rank === lockModes.indexOf('RowExclusiveLock') ? 'changes of the same rows' : 'nothing';
}

/** `concurrently` takes a lock that blocks nothing but other changes of the schema, and reads the table twice. */
async function traceStatements(client: pg.ClientBase, migration: Migration): Promise<TableUse[]> {
  const indexes = async (): Promise<Map<string, string>> => {
    const { rows } = await client.query<{ oid: string; table: string }>(
      'select indexrelid::text as oid, indrelid::regclass::text as table from pg_index',
    );
    return new Map(rows.map(({ oid, table }) => [oid, table]));
  };
  const uses: TableUse[] = [];
  for (const statement of splitStatements(migration)) {
    if (!/\bindex\s+concurrently\b/i.test(statement)) {
      uses.push(...(await trace(client, statement)));
      continue;
    }
    const before = await indexes();
    await client.query(statement);
    const after = await indexes();
    const isNew = ([oid]: [string, string]): boolean => !before.has(oid);
    const isDropped = ([oid]: [string, string]): boolean => !after.has(oid);
    const lock = 'ShareUpdateExclusiveLock';
    for (const [, table] of [...after].filter(isNew)) uses.push({ table, lock, blocks: 'nothing', reads: [table] });
    for (const [, table] of [...before].filter(isDropped)) uses.push({ table, lock, blocks: 'nothing', reads: [] });
  }
  return uses;
}
