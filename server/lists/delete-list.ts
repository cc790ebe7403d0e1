import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import { exclusionsChanged } from './events.ts';
import { lockList } from './lock-list.ts';
import { memberIdsOf } from './members.ts';

/** Deletes a list with its members' places in it. 404 when it is not of this account. */
export async function deleteList(app: App, accountId: AccountId, id: ListId): Promise<void> {
  await write(app, async (write) => {
    const list = await lockList(write, accountId, id, 'update');
    const memberIds = list.exclusive ? await memberIdsOf(write, id) : [];
    await write.db.deleteFrom('lists').where('id', '=', id).execute();
    if (memberIds.length > 0) write.emit(exclusionsChanged({ accountId, memberIds }));
  });
}
