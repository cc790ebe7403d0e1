import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { liftLimits } from './connect.ts';

const folder = join(import.meta.dirname, 'migrations');
/** Any number will do, as long as all processes take the same. */
const lock = 4_155_621;

export interface Migration {
  /** The file's name without its ending, `0001-platform`. */
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** Runs outside a transaction (`create index concurrently`): its first line is `-- no transaction`. */
  readonly alone: boolean;
}

export interface MigrationStatus {
  readonly name: string;
  readonly appliedAt: Date | undefined;
}

/** Every migration of this version, in order. */
export function listMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return {
        name: file.slice(0, -'.sql'.length),
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
        alone: text.startsWith('-- no transaction'),
      };
    });
}

/**
 * Brings the database up to this version: forward only, one process at a time, each migration in a transaction of its
 * own. Gives the names of those applied. Refuses when an applied one has changed, or the database is newer than this
 * version.
 */
export async function migrate(pool: pg.Pool, progress: (name: string) => void = () => {}): Promise<string[]> {
  const client = await pool.connect();
  try {
    await liftLimits(client);
    await client.query('select pg_advisory_lock($1)', [lock]);
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
    const applied = await readApplied(client);
    const migrations = listMigrations();
    verify(migrations, applied);
    const done: string[] = [];
    for (const migration of migrations) {
      if (applied.has(migration.name)) continue;
      progress(migration.name);
      await apply(client, migration);
      done.push(migration.name);
    }
    return done;
  } finally {
    await client.query('select pg_advisory_unlock_all()').catch(() => {});
    // The connection's settings were changed: it does not go back to the pool.
    client.release(true);
  }
}

/** Which migrations of this version the database has. */
export async function migrationStatus(pool: pg.Pool): Promise<MigrationStatus[]> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('migrations') is not null as exists`);
    const applied = rows[0]?.exists === true ? await readApplied(client) : new Map<string, Applied>();
    return listMigrations().map(({ name }) => ({ name, appliedAt: applied.get(name)?.applied_at }));
  } finally {
    client.release();
  }
}

interface Applied {
  readonly name: string;
  readonly checksum: string;
  readonly applied_at: Date;
}

async function readApplied(client: pg.PoolClient): Promise<Map<string, Applied>> {
  const { rows } = await client.query<Applied>('select name, checksum, applied_at from migrations order by name');
  return new Map(rows.map((row) => [row.name, row]));
}

function verify(migrations: readonly Migration[], applied: ReadonlyMap<string, Applied>): void {
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

async function apply(client: pg.PoolClient, { name, text, checksum, alone }: Migration): Promise<void> {
  const record = 'insert into migrations (name, checksum) values ($1, $2)';
  if (alone) {
    await client.query(text);
    await client.query(record, [name, checksum]);
    return;
  }
  await client.query('begin');
  try {
    await client.query(text);
    await client.query(record, [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`The migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
