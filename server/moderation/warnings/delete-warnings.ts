import type { AccountId } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { writable } from '../tables.ts';

/**
 * Deletes the decisions, appeals and notes about a deleted account, and the links to it from those that it wrote as staff.
 */
export async function deleteWarnings({ db }: Transaction, accountId: AccountId): Promise<void> {
  // Appeals go with their warnings.
  await writable(db).deleteFrom('account_warnings').where('account_id', '=', accountId).execute();
  await writable(db).deleteFrom('account_moderation_notes').where('account_id', '=', accountId).execute();
  await writable(db)
    .updateTable('account_warnings')
    .set({ staff_id: null })
    .where('staff_id', '=', accountId)
    .execute();
  await writable(db)
    .updateTable('account_moderation_notes')
    .set({ staff_id: null })
    .where('staff_id', '=', accountId)
    .execute();
  await writable(db)
    .updateTable('appeals')
    .set({ decided_by_account_id: null })
    .where('decided_by_account_id', '=', accountId)
    .execute();
}
