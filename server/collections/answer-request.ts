import type { AccountBody } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { write as inTransaction, type Write } from '../platform/database/write.ts';
import { newId, type AccountId, type CollectionItemId } from '../platform/ids.ts';
import { itemAccepted } from './events.ts';
import type { CollectionRow, ItemRow } from './find-collections.ts';
import { nextPlace } from './insert-items.ts';
import { withdraw } from './remove-item.ts';
import { mostRemoteItems } from './store-remote-items.ts';
import { approvalUri } from './urls.ts';

/** Somebody of another server asks to put a local account into a collection. */
export interface FeatureRequest {
  /** Id of the request. */
  readonly uri: string;
  readonly collection: CollectionRow;
  readonly member: AccountBody;
}

/**
 * Lets a local account be put into a collection of another server, which `mayFeature` allows; gives its place, whose stamp
 * is `approvalUri`. Asked again, the same place. Undefined when it once took its consent back, or the collection is full.
 */
export async function acceptRequest(
  write: Write,
  app: App,
  { uri, collection, member }: FeatureRequest,
): Promise<CollectionItemId | undefined> {
  await write.db.selectFrom('collections').select('id').where('id', '=', collection.id).forUpdate().execute();
  const items = await write.db
    .selectFrom('collection_items')
    .select(['id', 'account_id', 'state', 'place'])
    .where('collection_id', '=', collection.id)
    .execute();
  const known = items.find(({ account_id: id }) => id === member.id);
  if (known !== undefined) return known.state === 'accepted' ? known.id : undefined;
  if (items.length >= mostRemoteItems) return undefined;
  const now = app.clock.now();
  const itemId = newId<'collection-item'>(now);
  await write.db
    .insertInto('collection_items')
    .values({
      id: itemId,
      collection_id: collection.id,
      account_id: member.id,
      object_uri: member.uri,
      state: 'accepted',
      place: nextPlace(items),
      uri: null,
      request_uri: uri,
      approval_uri: approvalUri(app, member.id, itemId),
      created_at: now,
    })
    .execute();
  write.emit(itemAccepted({ collectionId: collection.id, accountId: collection.account_id, local: false, itemId }));
  return itemId;
}

interface Answer {
  /** Id of the request, as it was sent. */
  readonly requestUri: string;
  /** Who answers. */
  readonly memberId: AccountId;
}

/** The account that was asked is in the collection from now on. False when nothing of the kind was asked of it. */
export function takeConsent(
  app: App,
  { requestUri, memberId, stamp }: Answer & { readonly stamp: string },
): Promise<boolean> {
  return inTransaction(app, async (write) => {
    const item = await lockAsked(write, { requestUri, memberId });
    if (item === undefined) return false;
    if (item.state !== 'pending' && item.state !== 'accepted') return true;
    await write.db
      .updateTable('collection_items')
      .set({ state: 'accepted', approval_uri: stamp })
      .where('id', '=', item.id)
      .execute();
    const { id: itemId, collection_id: collectionId, owner_id: accountId } = item;
    if (item.state === 'pending') write.emit(itemAccepted({ collectionId, accountId, local: true, itemId }));
    return true;
  });
}

/** The account that was asked does not want to stand in the collection, or no longer. False when it was not asked. */
export function takeRefusal(app: App, answer: Answer): Promise<boolean> {
  return inTransaction(app, async (write) => {
    const item = await lockAsked(write, answer);
    if (item === undefined) return false;
    if (item.state === 'accepted') await withdraw(write, item);
    if (item.state === 'pending') {
      await write.db.updateTable('collection_items').set({ state: 'rejected' }).where('id', '=', item.id).execute();
    }
    return true;
  });
}

/** The stamp of an account of another server no longer stands: it leaves what it agreed to by it. */
export async function loseStamp(app: App, memberId: AccountId, stamp: string): Promise<void> {
  await inTransaction(app, async (write) => {
    const items = await write.db
      .selectFrom('collection_items')
      .selectAll()
      .where('approval_uri', '=', stamp)
      .where('account_id', '=', memberId)
      .forUpdate()
      .execute();
    for (const item of items) await withdraw(write, item);
  });
}

async function lockAsked(
  { db }: Write,
  { requestUri, memberId }: Answer,
): Promise<(ItemRow & { owner_id: AccountId }) | undefined> {
  return db
    .selectFrom('collection_items as item')
    .innerJoin('collections', 'collections.id', 'item.collection_id')
    .selectAll('item')
    .select('collections.account_id as owner_id')
    .where('item.request_uri', '=', requestUri)
    .where('item.account_id', '=', memberId)
    .where('collections.local', '=', true)
    .forUpdate('item')
    .executeTakeFirst();
}
