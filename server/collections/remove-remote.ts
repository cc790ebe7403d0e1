import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';
import { removeCollection } from './delete-collection.ts';

/** Deletes a collection of `ownerId`, an account of another server, as that says; false when there is none. */
export function removeRemoteCollection(app: App, ownerId: AccountId, uri: string): Promise<boolean> {
  return write(app, async (write) => {
    const collection = await write.db
      .selectFrom('collections')
      .selectAll()
      .where('uri', '=', uri)
      .where('account_id', '=', ownerId)
      .where('local', '=', false)
      .forUpdate()
      .executeTakeFirst();
    if (collection === undefined) return false;
    await removeCollection(write, collection);
    return true;
  });
}
