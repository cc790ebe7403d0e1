import type { CachedAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { transaction as inTransaction, type Transaction } from '../platform/database/transaction.ts';
import { newId, type AccountId, type CollectionItemId } from '../platform/ids.ts';
import { collectionItemAccepted } from './events.ts';
import type { CollectionRow, CollectionItemRow } from './find-collections.ts';
import { nextPlace } from './insert-items.ts';
import { revokeLockedItem } from './remove-item.ts';
import { maxRemoteItems } from './store-remote-items.ts';
import { featureAuthorizationUri } from './urls.ts';

/** Somebody of another server asks to put a local account into a collection. */
export interface FeatureRequest {
  /** Id of the request. */
  readonly uri: string;
  readonly collection: CollectionRow;
  readonly member: CachedAccount;
}

/**
 * Lets a local account be put into a collection of another server, which `mayFeature` allows; gives its place, whose stamp
 * is `approvalUri`. Asked again, the same place. Undefined when it once took its consent back, or the collection is full.
 */
export async function acceptFeatureRequest(
  tx: Transaction,
  app: App,
  { uri, collection, member }: FeatureRequest,
): Promise<CollectionItemId | undefined> {
  await tx.db.selectFrom('collections').select('id').where('id', '=', collection.id).forUpdate().execute();
  const items = await tx.db
    .selectFrom('collection_items')
    .select(['id', 'account_id', 'state', 'place'])
    .where('collection_id', '=', collection.id)
    .execute();
  const known = items.find(({ account_id: id }) => id === member.id);
  if (known !== undefined) return known.state === 'accepted' ? known.id : undefined;
  if (items.length >= maxRemoteItems) return undefined;
  const now = app.clock.now();
  const itemId = newId<'collection-item'>(now);
  await tx.db
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
      approval_uri: featureAuthorizationUri(app, member.id, itemId),
      created_at: now,
    })
    .execute();
  tx.emit(
    collectionItemAccepted({ collectionId: collection.id, accountId: collection.account_id, local: false, itemId }),
  );
  return itemId;
}

interface FeatureResponse {
  /** Id of the request, as it was sent. */
  readonly requestUri: string;
  /** Who answers. */
  readonly memberId: AccountId;
}

/** The account that was asked is in the collection from now on. False when nothing of the kind was asked of it. */
export function recordFeatureAcceptance(
  app: App,
  { requestUri, memberId, authorizationUri }: FeatureResponse & { readonly authorizationUri: string },
): Promise<boolean> {
  return inTransaction(app, async (tx) => {
    const item = await lockRequestedItem(tx, { requestUri, memberId });
    if (item === undefined) return false;
    if (item.state !== 'pending' && item.state !== 'accepted') return true;
    await tx.db
      .updateTable('collection_items')
      .set({ state: 'accepted', approval_uri: authorizationUri })
      .where('id', '=', item.id)
      .execute();
    const { id: itemId, collection_id: collectionId, owner_id: accountId } = item;
    if (item.state === 'pending') tx.emit(collectionItemAccepted({ collectionId, accountId, local: true, itemId }));
    return true;
  });
}

/** The account that was asked does not want to stand in the collection, or no longer. False when it was not asked. */
export function recordFeatureRejection(app: App, answer: FeatureResponse): Promise<boolean> {
  return inTransaction(app, async (tx) => {
    const item = await lockRequestedItem(tx, answer);
    if (item === undefined) return false;
    if (item.state === 'accepted') await revokeLockedItem(tx, item);
    if (item.state === 'pending') {
      await tx.db.updateTable('collection_items').set({ state: 'rejected' }).where('id', '=', item.id).execute();
    }
    return true;
  });
}

/** The stamp of an account of another server no longer stands: it leaves what it agreed to by it. */
export async function revokeFeatureAuthorization(
  app: App,
  memberId: AccountId,
  authorizationUri: string,
): Promise<void> {
  await inTransaction(app, async (tx) => {
    const items = await tx.db
      .selectFrom('collection_items')
      .selectAll()
      .where('approval_uri', '=', authorizationUri)
      .where('account_id', '=', memberId)
      .forUpdate()
      .execute();
    for (const item of items) await revokeLockedItem(tx, item);
  });
}

async function lockRequestedItem(
  { db }: Transaction,
  { requestUri, memberId }: FeatureResponse,
): Promise<(CollectionItemRow & { owner_id: AccountId }) | undefined> {
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
