import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import { exclusionsChanged } from './events.ts';
import { lockList } from './lock-list.ts';
import { listMemberIds } from './list-members.ts';
import { writable } from './tables.ts';

/** Deletes a list and its memberships. Throws 404 if it does not belong to the account. */
export async function deleteList(app: App, accountId: AccountId, id: ListId): Promise<void> {
  await transaction(app, async (tx) => {
    const list = await lockList(tx, accountId, id, 'update');
    const memberIds = list.exclusive ? await listMemberIds(tx, id) : [];
    await writable(tx.db).deleteFrom('lists').where('id', '=', id).execute();
    if (memberIds.length > 0) tx.emit(exclusionsChanged({ accountId, memberIds }));
  });
}
