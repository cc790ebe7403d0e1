import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { connectForMaintenance, type Connection } from '../wire/pool.ts';

const migrationsFolder = join(import.meta.dirname, 'migrations');
/** Arbitrary, but the same in all processes. */
const migrationLockKey = 4_155_621;
const lockIntervalMs = 100;

const createMigrationsTable =
  'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())';

export interface Migration {
  /** Name of the file without its extension, such as `0001-platform`. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /**
   * Each statement runs outside a transaction (`create index concurrently`), again if it was interrupted. Its first line is
   * `-- no transaction`, and each statement ends at the end of a line.
   */
  readonly noTransaction: boolean;
}

export interface MigrationStatus {
  readonly name: string;
  readonly appliedAt: Date | undefined;
}

/** Returns every migration of this version, in order. */
export function listMigrations(): Migration[] {
  return readdirSync(migrationsFolder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const sql = readFileSync(join(migrationsFolder, file), 'utf8');
      return {
        name: file.slice(0, -'.sql'.length),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
        noTransaction: sql.startsWith('-- no transaction'),
      };
    });
}

/**
 * Migrates the database to this version, forward only, one process at a time, each migration in its own transaction.
 * Returns the names of the applied migrations. Throws if an applied migration was changed, or the database is newer
 * than this version.
 */
export async function migrate(
  connection: Connection,
  onProgress: (name: string) => void = () => {},
): Promise<string[]> {
  const client = await connectForMaintenance(connection);
  try {
    await lockMigrations(client);
    await client.query(createMigrationsTable);
    const applied = await listApplied(client);
    const migrations = listMigrations();
    assertUnchanged(migrations, applied.values());
    const appliedNow: string[] = [];
    for (const migration of migrations) {
      if (applied.has(migration.name)) continue;
      onProgress(migration.name);
      await applyMigration(client, migration);
      appliedNow.push(migration.name);
    }
    return appliedNow;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Waits until no other process migrates. Asks again and again: `create index concurrently` waits for the end of every
 * statement, also of one that waits for this lock.
 */
async function lockMigrations(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      migrationLockKey,
    ]);
    if (rows[0]?.locked === true) return;
    await setTimeout(lockIntervalMs);
  }
}

/** Keeps others from migrating while the connection is open. Returns false if migrations are running. */
export async function tryLockMigrations(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock_shared($1) as locked', [
    migrationLockKey,
  ]);
  return rows[0]?.locked === true;
}

/**
 * Creates the schema of the given migrations in the caller's transaction, in an empty database. Throws if this version does
 * not have one of them, or has another version of it.
 */
export async function createSchema(
  client: pg.ClientBase,
  migrations: readonly { readonly name: string; readonly checksum: string }[],
): Promise<void> {
  const all = listMigrations();
  assertUnchanged(all, migrations);
  const wanted = new Set(migrations.map(({ name }) => name));
  await client.query(createMigrationsTable);
  // No other session sees the tables yet, so no index is built concurrently.
  for (const { name, sql } of all) {
    if (!wanted.has(name)) continue;
    const text = sql.replaceAll(/\b(index)\s+concurrently\b/gi, '$1');
    await client.query(text);
    // Temporary tables end with the transaction of their migration otherwise.
    await client.query('discard temporary');
  }
}

/** Returns the migrations of this version and whether the database has them. */
export async function migrationStatus(pool: pg.Pool): Promise<MigrationStatus[]> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('migrations') is not null as exists`);
    const applied = rows[0]?.exists === true ? await listApplied(client) : new Map<string, AppliedMigration>();
    return listMigrations().map(({ name }) => ({ name, appliedAt: applied.get(name)?.applied_at }));
  } finally {
    client.release();
  }
}

interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly applied_at: Date;
}

async function listApplied(client: pg.ClientBase): Promise<Map<string, AppliedMigration>> {
  const { rows } = await client.query<AppliedMigration>(
    'select name, checksum, applied_at from migrations order by name',
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** Throws an error for the operator unless this version has all applied migrations, unchanged. */
export function assertUnchanged(
  migrations: readonly Migration[],
  applied: Iterable<Pick<AppliedMigration, 'name' | 'checksum'>>,
): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of applied) {
    const migration = known.get(name);
    if (migration === undefined)
      throw new Error(
        `The database has the migration ${name}, which this version does not know: it was used by a newer version of Fieldfare.`,
      );
    if (migration.checksum !== checksum)
      throw new Error(`The migration ${name} differs from the one that was applied to the database.`);
  }
}

async function applyMigration(client: pg.ClientBase, { name, sql, checksum, noTransaction }: Migration): Promise<void> {
  const record = 'insert into migrations (name, checksum) values ($1, $2)';
  if (noTransaction) {
    for (const statement of sql.split(/;\s*\n/)) if (statement.trim() !== '') await client.query(statement);
    await client.query(record, [name, checksum]);
    return;
  }
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query(record, [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`The migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
