import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import { transaction } from '../platform/write/transaction.ts';
import { groupsChanged } from './events.ts';
import { writable } from './tables.ts';

/**
 * Deletes what a deleted account was in groups, and the group if it was one. A group without its last moderator is left to
 * those who manage users; meanwhile its posts wait.
 */
export function deleteOfAccount(app: App, { accountId }: { readonly accountId: AccountId }): Promise<void> {
  return transaction(app, async (tx) => {
    await writable(tx.db).deleteFrom('group_moderators').where('account_id', '=', accountId).execute();
    const { numDeletedRows } = await writable(tx.db)
      .deleteFrom('groups')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (numDeletedRows > 0n) tx.emit(groupsChanged({}));
  });
}
