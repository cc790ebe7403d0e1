import { accountChanged } from '../events.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';

/**
 * Deletes the rows of local accounts that were never activated, so that their names are free again. Skips activated ones,
 * which need `deleteAccount`. Call it after their users are deleted.
 */
export async function deleteUnactivatedAccounts(tx: Transaction, ids: readonly AccountId[]): Promise<void> {
  if (ids.length === 0) return;
  await writable(tx.db)
    .deleteFrom('accounts')
    .where('id', 'in', ids)
    .where('domain', 'is', null)
    .where('activated', '=', false)
    .execute();
  for (const id of ids) tx.emit(accountChanged({ accountId: id }));
}
