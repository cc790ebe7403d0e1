import { sql } from 'kysely';
import type { CachedAccount } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type CollectionItemId } from '../../platform/ids.ts';
import { collectionItemAccepted } from '../events.ts';
import type { CollectionRow, CollectionItemRow } from '../read/find-collections.ts';
import { nextPlace } from '../insert-items.ts';
import { revokeLockedItem } from '../remove-item.ts';
import { maxRemoteItems } from '../remote/store-remote-items.ts';
import { writable } from '../tables.ts';
import { featureAuthorizationUri } from '../urls.ts';

/** A request of a remote account to add a local one to its collection. */
export interface FeatureRequest {
  /** Id of the request. */
  readonly uri: string;
  readonly collection: CollectionRow;
  readonly member: CachedAccount;
}

/**
 * Adds a local account to a remote collection, which `canFeature` allows, and returns its item with the authorization
 * `approvalUri`. Idempotent. Returns undefined if the account revoked its authorization before, or the collection is full.
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
  const item = items.find(({ account_id: id }) => id === member.id);
  if (item !== undefined) return item.state === 'accepted' ? item.id : undefined;
  if (items.length >= maxRemoteItems) return undefined;
  const now = app.clock.now();
  const itemId = newId<'collection-item'>(now);
  await writable(tx.db)
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
  /** URI of the request that was sent. */
  readonly requestUri: string;
  /** The account that responds. */
  readonly memberId: AccountId;
}

/** Adds an account that accepted a request to the collection. Returns false if there was no such request. */
export function recordFeatureAcceptance(
  app: App,
  { requestUri, memberId, authorizationUri }: FeatureResponse & { readonly authorizationUri: string },
): Promise<boolean> {
  return transaction(app, async (tx) => {
    const item = await lockRequestedItem(tx, { requestUri, memberId });
    if (item === undefined) return false;
    if (item.state !== 'pending' && item.state !== 'accepted') return true;
    await writable(tx.db)
      .updateTable('collection_items')
      .set({ state: 'accepted', approval_uri: authorizationUri })
      .where('id', '=', item.id)
      .execute();
    const { id: itemId, collection_id: collectionId, owner_id: accountId } = item;
    if (item.state === 'pending') tx.emit(collectionItemAccepted({ collectionId, accountId, local: true, itemId }));
    return true;
  });
}

/** Records that an account rejected a request, also after it had accepted. Returns false if there was no such request. */
export function recordFeatureRejection(app: App, answer: FeatureResponse): Promise<boolean> {
  return transaction(app, async (tx) => {
    const item = await lockRequestedItem(tx, answer);
    if (item === undefined) return false;
    if (item.state === 'accepted') await revokeLockedItem(tx, item);
    if (item.state === 'pending') {
      await writable(tx.db)
        .updateTable('collection_items')
        .set({ state: 'rejected' })
        .where('id', '=', item.id)
        .execute();
    }
    return true;
  });
}

/** Removes the items of a remote account that depend on a revoked authorization. */
export async function revokeFeatureAuthorization(
  app: App,
  memberId: AccountId,
  authorizationUri: string,
): Promise<void> {
  // Nearly all received deletions are about posts.
  if ((await selectAuthorized(app, { uri: authorizationUri, memberId })).length === 0) return;
  await transaction(app, async (tx) => {
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

const selectAuthorized = batchedQuery<{ found: true }>()<{ uri: string; memberId: AccountId }>(
  { uri: 'text', memberId: 'bigint' },
  ({ uri, memberId }) =>
    sql`select true as found from collection_items where approval_uri = ${uri} and account_id = ${memberId} limit 1`,
  { batchSize: 128 },
);

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
