import { sql } from 'kysely';
import type { Transaction } from '../platform/database/transaction.ts';
import { compareIds, type AccountId } from '../platform/ids.ts';

/**
 * Lets one transaction at a time decide about two accounts: without it a follow could slip past a block that is being
 * made. Ends with the transaction.
 */
export async function lockPair(tx: Transaction, a: AccountId, b: AccountId): Promise<void> {
  const [first, second] = [a, b].toSorted(compareIds);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`relation ${first} ${second}`}, 0))`.execute(tx.db);
}
