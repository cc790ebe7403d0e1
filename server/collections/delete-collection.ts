import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import type { AccountId, CollectionId } from '../platform/ids.ts';
import { collectionDeleted } from './events.ts';
import { lockCollection, type CollectionRow } from './find-collections.ts';

/** Deletes a collection with its items. 404 when it is not there, 403 for others than its owner. */
export async function deleteCollection(app: App, accountId: AccountId, id: CollectionId): Promise<void> {
  await write(app, async (write) => removeCollection(write, await lockCollection(write, accountId, id)));
}

/** Deletes a collection that the caller has locked. */
export async function removeCollection(write: Write, collection: CollectionRow): Promise<void> {
  const { id, account_id: accountId, local, uri } = collection;
  const members = await write.db
    .deleteFrom('collection_items')
    .where('collection_id', '=', id)
    .where('state', 'in', ['pending', 'accepted'])
    .returning('account_id')
    .execute();
  await write.db.deleteFrom('collections').where('id', '=', id).execute();
  const memberIds = members.flatMap((member) => member.account_id ?? []);
  write.emit(collectionDeleted({ collectionId: id, accountId, local, uri, memberIds }));
}
