import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import type { ListParams } from './create-list.ts';
import { exclusionsChanged, listChanged } from './events.ts';
import { lockList } from './lock-list.ts';
import { listMemberIds } from './list-members.ts';
import { parseTitle } from './parse-title.ts';
import type { List } from './schema.ts';
import { writable } from './tables.ts';

/** Updates the given properties of a list. Throws 404 if it does not belong to the account, 422 for an invalid title. */
export async function updateList(app: App, accountId: AccountId, id: ListId, params: ListParams): Promise<List> {
  const { repliesPolicy, exclusive } = params;
  const title = params.title === undefined ? undefined : parseTitle(params.title);
  return transaction(app, async (tx) => {
    const before = await lockList(tx, accountId, id, 'update');
    const after: List = {
      ...before,
      ...(title !== undefined && { title }),
      ...(repliesPolicy !== undefined && { replies_policy: repliesPolicy }),
      ...(exclusive !== undefined && { exclusive }),
    };
    await writable(tx.db).updateTable('lists').set(after).where('id', '=', id).execute();
    if (after.replies_policy !== before.replies_policy) tx.emit(listChanged({ listId: id }));
    if (after.exclusive !== before.exclusive) {
      const memberIds = await listMemberIds(tx, id);
      if (memberIds.length > 0) tx.emit(exclusionsChanged({ accountId, memberIds }));
    }
    return after;
  });
}
