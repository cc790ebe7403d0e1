import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { liftLimits } from './connect.ts';

const migrationsFolder = join(import.meta.dirname, 'migrations');
/** Arbitrary, but the same in all processes. */
const migrationLockKey = 4_155_621;

export interface Migration {
  /** Name of the file without its extension, such as `0001-platform`. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** Runs outside a transaction (`create index concurrently`). Its first line is `-- no transaction`. */
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
export async function migrate(pool: pg.Pool, onProgress: (name: string) => void = () => {}): Promise<string[]> {
  const client = await pool.connect();
  try {
    await liftLimits(client);
    await client.query('select pg_advisory_lock($1)', [migrationLockKey]);
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
    const applied = await listApplied(client);
    const migrations = listMigrations();
    assertUnchanged(migrations, applied);
    const appliedNow: string[] = [];
    for (const migration of migrations) {
      if (applied.has(migration.name)) continue;
      onProgress(migration.name);
      await applyMigration(client, migration);
      appliedNow.push(migration.name);
    }
    return appliedNow;
  } finally {
    await client.query('select pg_advisory_unlock_all()').catch(() => {});
    // The connection's settings were changed: it must not return to the pool.
    client.release(true);
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

async function listApplied(client: pg.PoolClient): Promise<Map<string, AppliedMigration>> {
  const { rows } = await client.query<AppliedMigration>(
    'select name, checksum, applied_at from migrations order by name',
  );
  return new Map(rows.map((row) => [row.name, row]));
}

function assertUnchanged(migrations: readonly Migration[], applied: ReadonlyMap<string, AppliedMigration>): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of applied.values()) {
    const migration = known.get(name);
    if (migration === undefined)
      throw new Error(
        `The database has the migration ${name}, which this version does not know: it was used by a newer version of Fieldfare.`,
      );
    if (migration.checksum !== checksum)
      throw new Error(`The migration ${name} differs from the one that was applied to the database.`);
  }
}

async function applyMigration(client: pg.PoolClient, { name, sql, checksum, noTransaction }: Migration): Promise<void> {
  const record = 'insert into migrations (name, checksum) values ($1, $2)';
  if (noTransaction) {
    await client.query(sql);
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
