import type pg from 'pg';
import { isLateText, isLockedText } from '../work/process-liveness.ts';
import { listMigrations, type Migration } from './migrations.ts';

/** Arbitrary, but the same in all processes. Held while a contract migration runs, and shared while a process registers. */
const contractLockKey = 4_155_622;

/** Thrown if a contract migration removed what this version needs. */
export class OutdatedVersionError extends Error {
  override name = 'OutdatedVersionError';
}

/** A process of an older version, which a contract migration waits for. */
export interface OlderProcess {
  readonly version: string | null;
  readonly process_id: number | null;
}

/**
 * Runs `apply` if every living process knows the contract migration and none can register meanwhile. Returns the processes
 * that it waits for otherwise.
 */
export async function applyContract(
  client: pg.ClientBase,
  { name }: Migration,
  apply: () => Promise<void>,
): Promise<readonly OlderProcess[]> {
  await client.query('select pg_advisory_lock($1)', [contractLockKey]);
  try {
    const older = await listOlderProcesses(client, name);
    if (older.length === 0) await apply();
    return older;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [contractLockKey]);
  }
}

/** Returns the living processes that do not know a contract migration. */
export async function listOlderProcesses(client: Pick<pg.ClientBase, 'query'>, name: string): Promise<OlderProcess[]> {
  const { rows } = await client.query<OlderProcess>(
    `select version, process_id from lease_holders holder
      where $1 <> all(coalesce(contracts, '{}')) and (${isLockedText} or not ${isLateText})
      order by beat_at, id`,
    [name],
  );
  return rows;
}

let contracts: readonly string[] | undefined;

/** Returns the names of the contract migrations of this version. */
export const knownContracts = (): readonly string[] =>
  (contracts ??= listMigrations().flatMap(({ name, kind }) => (kind === 'contract' ? [name] : [])));

/**
 * Keeps contract migrations from starting until the end of the transaction, in which this process registers. Throws if one is
 * running, or OutdatedVersionError if one that is not in `contracts` has run.
 */
export async function assertMayRegister(client: pg.ClientBase, contracts: readonly string[]): Promise<void> {
  const { rows: locks } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock_shared($1) as locked',
    [contractLockKey],
  );
  if (locks[0]?.locked !== true) throw new Error('the database is being migrated');
  const { rows } = await client.query<{ name: string }>(
    `select name from migrations where kind = 'contract' and name <> all($1) order by name limit 1`,
    [contracts],
  );
  if (rows[0] !== undefined)
    throw new OutdatedVersionError(
      `A newer version of Fieldfare migrated the database (${rows[0].name}): this version cannot go on.`,
    );
}
