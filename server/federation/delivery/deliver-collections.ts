import { inTransaction, later } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { findAccount, type AccountRow } from '../../accounts/find/index.ts';
import {
  featureAuthorizationUri,
  collectionCreated,
  collectionDeleted,
  featuredCollectionsUri,
  collectionUpdated,
  collectionUri,
  featureAuthorizationRevoked,
  collectionItemAccepted,
  collectionItemRemoved,
  collectionItemRequested,
} from '../../collections/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type CollectionId, type CollectionItemId } from '../../platform/ids.ts';
import { addOrRemove } from '../documents/activities.ts';
import {
  deleteFeatureAuthorization,
  featureContext,
  featureRequest,
  updateCollectionActivity,
} from '../documents/feature-activities.ts';
import { collectionDocuments, findItemDocument, featureAuthorization } from '../documents/featured-documents.ts';
import type { Json } from '../documents/values.ts';
import { accountInboxes, followerInboxes } from './inboxes.ts';
import { storeActivity } from './store-activity.ts';
import { onLocalProfile } from './on-local.ts';

interface CollectionEvent {
  readonly collectionId: CollectionId;
  /** Owner of the collection. */
  readonly accountId: AccountId;
}

interface ItemEvent extends CollectionEvent {
  readonly itemId: CollectionItemId;
}

/** Sends an activity about a collection to the servers of the owner's followers and of its members. */
async function sendCollectionActivity(
  app: App,
  { collectionId, accountId, others = [] }: CollectionEvent & { others?: readonly AccountId[] },
  activityOf: (owner: AccountRow, id: string) => Promise<Json | undefined>,
): Promise<void> {
  const owner = await findAccount(app, accountId);
  if (owner === undefined || owner.domain !== null) return;
  const activity = await activityOf(owner, newId<'activity'>(app.clock.now()));
  if (activity === undefined) return;
  await transaction(app, async (tx) => {
    const members = await listMemberIds(tx, collectionId);
    const inboxes = await Promise.all([
      followerInboxes(tx.db, accountId),
      accountInboxes(tx.db, [...members, ...others]),
    ]);
    await storeActivity(tx, app, {
      senderId: accountId,
      activity,
      context: featureContext,
      inboxes: [...new Set(inboxes.flat())],
      orderKey: `collection ${collectionUri(app, accountId, collectionId)}`,
    });
  });
}

async function listMemberIds({ db }: Transaction, collectionId: CollectionId): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('collection_items')
    .select('account_id')
    .where('collection_id', '=', collectionId)
    .where('state', '=', 'accepted')
    .execute();
  return rows.flatMap(({ account_id: id }) => id ?? []);
}

const loadCollectionDocument = async (app: App, id: CollectionId): Promise<Json | undefined> =>
  (await collectionDocuments(app, [id])).get(id);

function deliverCollectionCreate(app: App, created: CollectionEvent): Promise<void> {
  return sendCollectionActivity(app, created, async ({ uri }, id) => {
    const object = await loadCollectionDocument(app, created.collectionId);
    return object && addOrRemove('Add', uri, { id, object, target: featuredCollectionsUri(app, created.accountId) });
  });
}

function deliverCollectionUpdate(app: App, updated: CollectionEvent): Promise<void> {
  return sendCollectionActivity(app, updated, async () => {
    const object = await loadCollectionDocument(app, updated.collectionId);
    return object && updateCollectionActivity(object, app.clock.now());
  });
}

interface CollectionDeletedEvent extends CollectionEvent {
  readonly uri: string;
  readonly memberIds: AccountId[];
}

function deliverCollectionDelete(
  app: App,
  { uri: object, memberIds: others, ...deleted }: CollectionDeletedEvent,
): Promise<void> {
  return sendCollectionActivity(app, { ...deleted, others }, async ({ uri }, id) =>
    addOrRemove('Remove', uri, { id, object, target: featuredCollectionsUri(app, deleted.accountId) }),
  );
}

function deliverItemAdd(app: App, accepted: ItemEvent): Promise<void> {
  return sendCollectionActivity(app, accepted, async ({ uri }, id) => {
    const { accountId, collectionId, itemId } = accepted;
    const object = (await findItemDocument(app, accountId, itemId))?.document;
    return object && addOrRemove('Add', uri, { id, object, target: collectionUri(app, accountId, collectionId) });
  });
}

interface ItemRemovedEvent extends ItemEvent {
  readonly memberId: AccountId;
  readonly itemUri: string | null;
}

function deliverItemRemove(app: App, { memberId, itemUri: object, ...removed }: ItemRemovedEvent): Promise<void> {
  return sendCollectionActivity(app, { ...removed, others: [memberId] }, async ({ uri }, id) => {
    const target = collectionUri(app, removed.accountId, removed.collectionId);
    return object === null ? undefined : addOrRemove('Remove', uri, { id, object, target });
  });
}

/** Requests consent from a remote account, in the transaction that adds the pending item. */
async function deliverFeatureRequest(tx: Transaction, app: App, { itemId, accountId }: ItemEvent): Promise<void> {
  const row = await tx.db
    .selectFrom('collection_items as item')
    .innerJoin('collections', 'collections.id', 'item.collection_id')
    .innerJoin('accounts as owner', 'owner.id', 'collections.account_id')
    .innerJoin('accounts as member', 'member.id', 'item.account_id')
    .select(['item.request_uri', 'collections.uri as collection', 'owner.uri as actor', 'member.uri as object'])
    .select('member.inbox_url')
    .where('item.id', '=', itemId)
    .where('collections.local', '=', true)
    .executeTakeFirst();
  if (row === undefined || row.request_uri === null || row.inbox_url === null) return;
  await storeActivity(tx, app, {
    senderId: accountId,
    activity: featureRequest(row.request_uri, row),
    context: featureContext,
    inboxes: [row.inbox_url],
    orderKey: `collection ${row.collection}`,
  });
}

interface AuthorizationRevokedEvent extends ItemEvent {
  readonly memberId: AccountId;
  readonly local: boolean;
}

/** Deletes the authorization of a local account on the servers that may have a remote collection with it. */
async function deliverAuthorizationDelete(
  app: App,
  { collectionId, accountId, itemId, memberId, local }: AuthorizationRevokedEvent,
): Promise<void> {
  if (local) return;
  const member = await findAccount(app, memberId);
  const collection = await app.db
    .selectFrom('collections')
    .select('uri')
    .where('id', '=', collectionId)
    .executeTakeFirst();
  if (member === undefined || collection === undefined) return;
  const document = featureAuthorization(featureAuthorizationUri(app, memberId, itemId), {
    collection: collection.uri,
    actor: member.uri,
  });
  await transaction(app, async (tx) => {
    const members = await listMemberIds(tx, collectionId);
    await storeActivity(tx, app, {
      senderId: memberId,
      activity: deleteFeatureAuthorization(member.uri, document),
      context: featureContext,
      inboxes: await accountInboxes(tx.db, [accountId, ...members]),
      orderKey: `collection ${collection.uri}`,
    });
  });
}

/** Accounts that are no longer wanted receive the Remove. Activities of one collection keep their order. */
export const collectionDeliveries: readonly Subscription[] = [
  ...onLocalProfile([collectionCreated], { name: 'collection.deliver_create', run: deliverCollectionCreate }),
  ...onLocalProfile([collectionUpdated], { name: 'collection.deliver_update', run: deliverCollectionUpdate }),
  ...onLocalProfile([collectionDeleted], { name: 'collection.deliver_delete', run: deliverCollectionDelete }),
  ...onLocalProfile([collectionItemAccepted], { name: 'collection.deliver_item_add', run: deliverItemAdd }),
  ...onLocalProfile([collectionItemRemoved], { name: 'collection.deliver_item_remove', run: deliverItemRemove }),
  inTransaction([collectionItemRequested], { run: deliverFeatureRequest }),
  later('default', [featureAuthorizationRevoked], {
    name: 'collection.deliver_authorization_delete',
    run: deliverAuthorizationDelete,
  }),
];
