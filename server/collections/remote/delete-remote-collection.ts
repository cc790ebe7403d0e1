import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { deleteLockedCollection } from '../delete-collection.ts';

/** Deletes a collection of a remote account, at the request of its server. Returns false if there is none. */
export function deleteRemoteCollection(app: App, ownerId: AccountId, uri: string): Promise<boolean> {
  return transaction(app, async (tx) => {
    const collection = await tx.db
      .selectFrom('collections')
      .selectAll()
      .where('uri', '=', uri)
      .where('account_id', '=', ownerId)
      .where('local', '=', false)
      .forUpdate()
      .executeTakeFirst();
    if (collection === undefined) return false;
    await deleteLockedCollection(tx, collection);
    return true;
  });
}
