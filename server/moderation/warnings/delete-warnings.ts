import type { AccountId } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/database/transaction.ts';

/** Deletes the warnings of a deleted account, and its name from those that it wrote as staff. */
export async function deleteWarnings({ db }: Transaction, accountId: AccountId): Promise<void> {
  await db.deleteFrom('account_warnings').where('account_id', '=', accountId).execute();
  await db.updateTable('account_warnings').set({ staff_id: null }).where('staff_id', '=', accountId).execute();
}
