import { sql } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import { compareIds, type AccountId } from '../../platform/ids.ts';

/** Locks a pair of accounts until the end of the transaction, so that no follow gets past a concurrent block. */
export async function lockPair(tx: Transaction, a: AccountId, b: AccountId): Promise<void> {
  const [first, second] = [a, b].toSorted(compareIds);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`relation ${first} ${second}`}, 0))`.execute(tx.db);
}
