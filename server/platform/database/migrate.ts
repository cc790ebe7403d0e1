import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { toError } from '../errors.ts';
import { connectForMaintenance, type Connection } from '../wire/pool.ts';
import { applyContract, listOlderProcesses, type OlderProcess } from './contract.ts';
import {
  assertCompatible,
  assertUnchanged,
  listMigrations,
  type AppliedMigration,
  type Migration,
  type MigrationKind,
} from './migrations.ts';

/** Arbitrary, but the same in all processes. */
const migrationLockKey = 4_155_621;
const lockIntervalMs = 100;
/** While a migration waits for the lock of a table, all later statements on the table wait for the migration. */
const tableLockTimeoutMs = 1_000;
const tableLockAttempts = 60;
const lockNotAvailable = '55P03';

const createMigrationsTable =
  'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())';

export interface MigrationStatus {
  readonly name: string;
  readonly kind: MigrationKind;
  readonly appliedAt: Date | undefined;
}

/** A contract migration that cannot run yet. */
export interface WaitingMigration {
  readonly name: string;
  readonly olderProcesses: readonly OlderProcess[];
}

export interface MigrateResult {
  /** Names of the migrations that were applied. */
  readonly applied: readonly string[];
  readonly waiting: readonly WaitingMigration[];
}

export interface MigrateOptions {
  /** Called with the name of each migration before it is applied. */
  readonly onProgress?: (name: string) => void;
  /** Called once if another process keeps this one from migrating. */
  readonly onBlocked?: () => void;
  /** Default: those of this version. */
  readonly migrations?: readonly Migration[];
}

/**
 * Migrates the database to this version, forward only, one process at a time, each migration in its own transaction.
 * Contract migrations come last, and those that an older process still runs for are left to a later call. Waits for nothing
 * if no migration is missing. Throws if an applied migration was changed, or a newer version removed what this one needs.
 */
export async function migrate(
  connection: Connection,
  { onProgress = () => {}, onBlocked = () => {}, migrations = listMigrations() }: MigrateOptions = {},
): Promise<MigrateResult> {
  const client = await connectForMaintenance(connection);
  try {
    if ((await listMissing(client, migrations)).length === 0) return { applied: [], waiting: [] };
    await lockMigrations(client, onBlocked);
    await client.query(createMigrationsTable);
    const pending = await listMissing(client, migrations);
    const applied: string[] = [];
    const waiting: WaitingMigration[] = [];
    const apply = async (migration: Migration): Promise<void> => {
      onProgress(migration.name);
      await applyMigration(client, migration);
      applied.push(migration.name);
    };
    for (const migration of pending) if (migration.kind === 'expand') await apply(migration);
    for (const migration of pending) {
      if (migration.kind === 'expand') continue;
      const olderProcesses = await applyContract(client, migration, () => apply(migration));
      if (olderProcesses.length > 0) waiting.push({ name: migration.name, olderProcesses });
    }
    return { applied, waiting };
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Waits until no other process migrates. Asks again and again: `create index concurrently` waits for the end of every
 * statement, also of one that waits for this lock.
 */
async function lockMigrations(client: pg.ClientBase, onBlocked: () => void): Promise<void> {
  for (let isBlocked = false; ; isBlocked = true) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      migrationLockKey,
    ]);
    if (rows[0]?.locked === true) return;
    if (!isBlocked) onBlocked();
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

/**
 * Returns the migrations of this version and whether the database has them. Throws if a newer version removed what this one
 * needs.
 */
export async function migrationStatus(
  pool: pg.Pool,
  migrations: readonly Migration[] = listMigrations(),
): Promise<MigrationStatus[]> {
  const client = await pool.connect();
  try {
    const applied = await listApplied(client, migrations);
    return migrations.map(({ name, kind }) => ({ name, kind, appliedAt: applied.get(name)?.applied_at }));
  } finally {
    client.release();
  }
}

/** Returns the contract migrations that the database lacks, and what they wait for. */
export async function listWaiting(pool: pg.Pool, migrations?: readonly Migration[]): Promise<WaitingMigration[]> {
  const missing = (await migrationStatus(pool, migrations)).filter(
    ({ kind, appliedAt }) => kind === 'contract' && !appliedAt,
  );
  const waiting: WaitingMigration[] = [];
  for (const { name } of missing) waiting.push({ name, olderProcesses: await listOlderProcesses(pool, name) });
  return waiting;
}

interface AppliedRow extends AppliedMigration {
  readonly applied_at: Date;
}

/** Returns the migrations that the database has, by name. Throws unless they are compatible with those of this version. */
async function listApplied(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<ReadonlyMap<string, AppliedRow>> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `select to_regclass('migrations') is not null as exists`,
  );
  if (found[0]?.exists !== true) return new Map();
  const { rows } = await client.query<AppliedRow>('select * from migrations order by name');
  assertCompatible(migrations, rows);
  return new Map(rows.map((row) => [row.name, row]));
}

async function listMissing(client: pg.ClientBase, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = await listApplied(client, migrations);
  return migrations.filter(({ name }) => !applied.has(name));
}

async function applyMigration(client: pg.ClientBase, migration: Migration): Promise<void> {
  if (migration.noTransaction) {
    for (const statement of splitStatements(migration)) {
      await dropUnfinishedIndex(client, statement);
      await client.query(statement);
    }
    await recordMigration(client, migration);
    return;
  }
  for (let left = tableLockAttempts; ; left -= 1) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${tableLockTimeoutMs}`);
      await client.query(migration.sql);
      await recordMigration(client, migration);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const { code, message } = toError(error);
      if (code !== lockNotAvailable || left === 0)
        throw new Error(`The migration ${migration.name} failed: ${message}`, { cause: error });
    }
    // Statements that waited for the migration run first.
    await setTimeout(tableLockTimeoutMs);
  }
}

/**
 * Drops the invalid index that an interrupted `create index concurrently` left: `if not exists` would take it for a finished
 * one, and no statement would use it.
 */
async function dropUnfinishedIndex(client: pg.ClientBase, statement: string): Promise<void> {
  const [, name] = /\bindex\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i.exec(statement) ?? [];
  if (name === undefined) return;
  const unfinished = `select from pg_index where indexrelid = to_regclass($1) and not indisvalid`;
  const { rowCount } = await client.query(unfinished, [name]);
  const drop = `drop index concurrently ${name}`;
  if (rowCount !== 0) await client.query(drop);
}

/** Returns the statements of a migration without a transaction. */
export const splitStatements = ({ sql }: Migration): string[] =>
  sql.split(/;\s*\n/).filter((statement) => statement.trim() !== '');

async function recordMigration(client: pg.ClientBase, { name, checksum, kind }: Migration): Promise<void> {
  // The first migrations run before the table has kinds.
  if (kind === 'expand')
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
  else await client.query('insert into migrations (name, checksum, kind) values ($1, $2, $3)', [name, checksum, kind]);
}
