import type { Transaction } from '../platform/write/transaction.ts';
import { hashSecret } from './sign-in/secrets.ts';
import { writable } from './tables.ts';

/**
 * Records that a challenge was answered, in the transaction of what the answer permits. Returns false if it was before, in
 * any process. The record lasts until the challenge expires.
 */
export async function useChallenge({ db }: Transaction, challenge: string, expiresAt: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await writable(db)
    .insertInto('used_passkey_challenges')
    .values({ challenge_hash: hashSecret(challenge), expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
