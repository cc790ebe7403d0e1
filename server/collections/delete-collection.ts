import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import type { AccountId, CollectionId } from '../platform/ids.ts';
import { collectionDeleted } from './events.ts';
import { lockCollection, type CollectionRow } from './read/find-collections.ts';
import { writable } from './tables.ts';

/** Deletes a collection with its items. Throws 404 if it does not exist, 403 for anyone but the owner. */
export async function deleteCollection(app: App, accountId: AccountId, id: CollectionId): Promise<void> {
  await transaction(app, async (tx) => deleteLockedCollection(tx, await lockCollection(tx, accountId, id)));
}

/** Deletes a collection that the caller has locked. */
export async function deleteLockedCollection(tx: Transaction, collection: CollectionRow): Promise<void> {
  const { id, account_id: accountId, local, uri } = collection;
  const members = await writable(tx.db)
    .deleteFrom('collection_items')
    .where('collection_id', '=', id)
    .where('state', 'in', ['pending', 'accepted'])
    .returning('account_id')
    .execute();
  await writable(tx.db).deleteFrom('collections').where('id', '=', id).execute();
  const memberIds = members.flatMap((member) => member.account_id ?? []);
  tx.emit(collectionDeleted({ collectionId: id, accountId, local, uri, memberIds }));
}
