import { beforeCommit, on, type Subscription } from '../../platform/events/reactions.ts';
import { findAccount, type AccountRow } from '../../accounts/index.ts';
import {
  approvalUri,
  collectionCreated,
  collectionDeleted,
  collectionsUri,
  collectionUpdated,
  collectionUri,
  consentRevoked,
  itemAccepted,
  itemRemoved,
  itemRequested,
} from '../../collections/index.ts';
import type { App } from '../../platform/app.ts';
import { write, type Write } from '../../platform/database/write.ts';
import { newId, type AccountId, type CollectionId, type CollectionItemId } from '../../platform/ids.ts';
import { showcase } from '../documents/activities.ts';
import {
  deleteStamp,
  featureContext,
  featureRequest,
  updateCollectionActivity,
} from '../documents/feature-activities.ts';
import { collectionDocuments, findItemDocument, stamp } from '../documents/featured-documents.ts';
import type { Json } from '../documents/values.ts';
import { accountInboxes, followerInboxes } from './inboxes.ts';
import { storeActivity } from './store-activity.ts';
import { whenLocalProfile } from './when-local.ts';

interface OfCollection {
  readonly collectionId: CollectionId;
  /** Its owner. */
  readonly accountId: AccountId;
}

interface OfItem extends OfCollection {
  readonly itemId: CollectionItemId;
}

/** Tells the servers of the owner's followers, and of those in the collection, what happened to it. */
async function tell(
  app: App,
  { collectionId, accountId, others = [] }: OfCollection & { others?: readonly AccountId[] },
  activityOf: (owner: AccountRow, id: string) => Promise<Json | undefined>,
): Promise<void> {
  const owner = await findAccount(app, accountId);
  if (owner === undefined || owner.domain !== null) return;
  const activity = await activityOf(owner, newId<'activity'>(app.clock.now()));
  if (activity === undefined) return;
  await write(app, async (write) => {
    const members = await membersOf(write, collectionId);
    const inboxes = await Promise.all([
      followerInboxes(write.db, accountId),
      accountInboxes(write.db, [...members, ...others]),
    ]);
    await storeActivity(write, app, {
      senderId: accountId,
      activity,
      context: featureContext,
      inboxes: [...new Set(inboxes.flat())],
      orderKey: `collection ${collectionUri(app, accountId, collectionId)}`,
    });
  });
}

async function membersOf({ db }: Write, collectionId: CollectionId): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('collection_items')
    .select('account_id')
    .where('collection_id', '=', collectionId)
    .where('state', '=', 'accepted')
    .execute();
  return rows.flatMap(({ account_id: id }) => id ?? []);
}

const documentOf = async (app: App, id: CollectionId): Promise<Json | undefined> =>
  (await collectionDocuments(app, [id])).get(id);

function deliverCreated(app: App, created: OfCollection): Promise<void> {
  return tell(app, created, async ({ uri }, id) => {
    const object = await documentOf(app, created.collectionId);
    return object && showcase('Add', uri, { id, object, target: collectionsUri(app, created.accountId) });
  });
}

function deliverUpdated(app: App, updated: OfCollection): Promise<void> {
  return tell(app, updated, async () => {
    const object = await documentOf(app, updated.collectionId);
    return object && updateCollectionActivity(object, app.clock.now());
  });
}

interface Deleted extends OfCollection {
  readonly uri: string;
  readonly memberIds: AccountId[];
}

function deliverDeleted(app: App, { uri: object, memberIds: others, ...deleted }: Deleted): Promise<void> {
  return tell(app, { ...deleted, others }, async ({ uri }, id) =>
    showcase('Remove', uri, { id, object, target: collectionsUri(app, deleted.accountId) }),
  );
}

function deliverAccepted(app: App, accepted: OfItem): Promise<void> {
  return tell(app, accepted, async ({ uri }, id) => {
    const { accountId, collectionId, itemId } = accepted;
    const object = (await findItemDocument(app, accountId, itemId))?.document;
    return object && showcase('Add', uri, { id, object, target: collectionUri(app, accountId, collectionId) });
  });
}

interface Removed extends OfItem {
  readonly memberId: AccountId;
  readonly itemUri: string | null;
}

function deliverRemoved(app: App, { memberId, itemUri: object, ...removed }: Removed): Promise<void> {
  return tell(app, { ...removed, others: [memberId] }, async ({ uri }, id) => {
    const target = collectionUri(app, removed.accountId, removed.collectionId);
    return object === null ? undefined : showcase('Remove', uri, { id, object, target });
  });
}

/** Asks an account of another server, within the transaction that put it on the waiting list. */
async function askMember(write: Write, app: App, { itemId, accountId }: OfItem): Promise<void> {
  const row = await write.db
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
  await storeActivity(write, app, {
    senderId: accountId,
    activity: featureRequest(row.request_uri, row),
    context: featureContext,
    inboxes: [row.inbox_url],
    orderKey: `collection ${row.collection}`,
  });
}

interface Revoked extends OfItem {
  readonly memberId: AccountId;
  readonly local: boolean;
}

/** Tells the servers that may hold a collection of another one that a local account no longer agrees to stand in it. */
async function deliverRevoked(app: App, { collectionId, accountId, itemId, memberId, local }: Revoked): Promise<void> {
  if (local) return;
  const member = await findAccount(app, memberId);
  const collection = await app.db
    .selectFrom('collections')
    .select('uri')
    .where('id', '=', collectionId)
    .executeTakeFirst();
  if (member === undefined || collection === undefined) return;
  const document = stamp(approvalUri(app, memberId, itemId), { collection: collection.uri, actor: member.uri });
  await write(app, async (write) => {
    const members = await membersOf(write, collectionId);
    await storeActivity(write, app, {
      senderId: memberId,
      activity: deleteStamp(member.uri, document),
      context: featureContext,
      inboxes: await accountInboxes(write.db, [accountId, ...members]),
      orderKey: `collection ${collection.uri}`,
    });
  });
}

/** Whoever was asked and is not wanted any more hears of it by the Remove; an order for all of one profile keeps the rest. */
export const collectionDeliveries: readonly Subscription[] = [
  ...whenLocalProfile(collectionCreated, 'deliver-collection', deliverCreated),
  ...whenLocalProfile(collectionUpdated, 'deliver-collection-update', deliverUpdated),
  ...whenLocalProfile(collectionDeleted, 'deliver-collection-deletion', deliverDeleted),
  ...whenLocalProfile(itemAccepted, 'deliver-collection-item', deliverAccepted),
  ...whenLocalProfile(itemRemoved, 'deliver-collection-item-removal', deliverRemoved),
  beforeCommit([itemRequested], { run: askMember }),
  on([consentRevoked], { name: 'deliver-stamp-deletion', run: deliverRevoked }),
];
