import { accountChanged } from './events.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import type { AccountId } from '../platform/ids.ts';

/**
 * Ends local accounts that nobody ever saw, because their sign-up never came through: their rows go, and their names are
 * free again. Those that were seen are passed over: `deleteAccount` is for them. Call it after their users are removed.
 */
export async function deleteUnactivatedAccounts(tx: Transaction, ids: readonly AccountId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .deleteFrom('accounts')
    .where('id', 'in', ids)
    .where('domain', 'is', null)
    .where('activated', '=', false)
    .execute();
  for (const id of ids) tx.emit(accountChanged({ accountId: id }));
}
