import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { notFound } from '../platform/http/problems.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import { exclusionsChanged } from './events.ts';
import { memberIdsOf } from './members.ts';

/** Deletes a list with its members' places in it. 404 when it is not of this account. */
export async function deleteList(app: App, accountId: AccountId, id: ListId): Promise<void> {
  await write(app, async (write) => {
    const list = await write.db
      .selectFrom('lists')
      .select('exclusive')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .forUpdate()
      .executeTakeFirst();
    if (list === undefined) throw notFound();
    const memberIds = list.exclusive ? await memberIdsOf(write, id) : [];
    await write.db.deleteFrom('lists').where('id', '=', id).execute();
    if (memberIds.length > 0) write.emit(exclusionsChanged({ accountId, memberIds }));
  });
}
