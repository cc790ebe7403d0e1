import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import type { NewList } from './create-list.ts';
import { exclusionsChanged, listChanged } from './events.ts';
import { lockList } from './lock-list.ts';
import { memberIdsOf } from './members.ts';
import { readTitle } from './read-title.ts';
import type { List } from './schema.ts';

/** Changes what is given of a list. 404 when it is not of this account, 422 for a bad title. */
export async function updateList(app: App, accountId: AccountId, id: ListId, asked: NewList): Promise<List> {
  const { repliesPolicy, exclusive } = asked;
  const title = asked.title === undefined ? undefined : readTitle(asked.title);
  return write(app, async (write) => {
    const before = await lockList(write, accountId, id, 'update');
    const after: List = {
      ...before,
      ...(title !== undefined && { title }),
      ...(repliesPolicy !== undefined && { replies_policy: repliesPolicy }),
      ...(exclusive !== undefined && { exclusive }),
    };
    await write.db.updateTable('lists').set(after).where('id', '=', id).execute();
    if (after.replies_policy !== before.replies_policy) write.emit(listChanged({ listId: id }));
    if (after.exclusive !== before.exclusive) {
      const memberIds = await memberIdsOf(write, id);
      if (memberIds.length > 0) write.emit(exclusionsChanged({ accountId, memberIds }));
    }
    return after;
  });
}
