import { loadCachedAccounts, type AccountRow } from '../../accounts/index.ts';
import {
  acceptFeatureRequest,
  featureAuthorizationUri,
  findCollection,
  findCollectionByUri,
  revokeFeatureAuthorization,
  canFeature,
  deleteRemoteCollection,
  removeRemoteItem,
  recordFeatureAcceptance,
  recordFeatureRejection,
  type CollectionRow,
} from '../../collections/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { storeActivity } from '../delivery/store-activity.ts';
import { acceptFeature, featureContext, rejectFeature } from '../documents/feature-activities.ts';
import { isFeaturedCollection, parseFeaturedCollection } from '../documents/parse-featured-collection.ts';
import { idOf, isHttpUrl, isObject, isSameHost, typesOf, type Json } from '../documents/values.ts';
import { fetchObject } from '../fetch/fetch-document.ts';
import { resolveCollection } from '../fetch/resolve-collection.ts';
import { storeFeaturedCollection, storeFeaturedItem } from '../fetch/store-featured-collection.ts';
import { localUsername } from '../local-addresses.ts';
import { isFollowedLocally } from './relevance.ts';
import { findLocalActor, type ReceivedActivity } from './received-activity.ts';

/**
 * Somebody made a collection, or put an account into one of its own. A collection that is not known is kept when somebody
 * here follows its owner or stands in it.
 */
export async function receiveCollectionAdd(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  const { object } = activity;
  const target = idOf(activity['target']);
  if (isFeaturedCollection(object) || target === actor.featured_collections_url) {
    return storeRelevantCollection(app, actor, object);
  }
  const known = target === undefined ? undefined : await findOwnedCollection(app, actor, target);
  if (known !== undefined) return storeFeaturedItem(app, known, object);
  const isItem = typesOf(object).includes('FeaturedItem');
  if (isItem && target !== undefined && isSameHost(target, actor.uri) && (await isFollowedLocally(app, [actor.id]))) {
    await resolveCollection(app, target);
  }
}

/** Somebody deleted a collection of its own, or took an account out of one. */
export async function receiveCollectionRemove(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  const target = idOf(activity['target']);
  const uri = idOf(activity['object']);
  if (uri === undefined || target === undefined) return;
  if (await deleteRemoteCollection(app, actor.id, uri)) return;
  await removeRemoteItem(app, actor.id, { collectionUri: target, itemUri: uri });
}

/** Somebody changed what is said of a collection of its own, or who is in it. */
export async function receiveCollectionUpdate(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  await storeRelevantCollection(app, actor, activity['object']);
}

async function storeRelevantCollection(app: App, actor: AccountRow, object: unknown): Promise<void> {
  const uri = idOf(object);
  if (uri === undefined || !isSameHost(uri, actor.uri)) return;
  const known = await findOwnedCollection(app, actor, uri);
  if (known === undefined && !(await isRelevantCollection(app, actor, object))) return;
  const document = isObject(object) && isFeaturedCollection(object) ? object : await fetchObject(app, uri);
  if (parseFeaturedCollection(document).attributedTo === actor.uri) await storeFeaturedCollection(app, document);
}

async function isRelevantCollection(app: App, actor: AccountRow, object: unknown): Promise<boolean> {
  if (await isFollowedLocally(app, [actor.id])) return true;
  if (!isFeaturedCollection(object)) return false;
  return parseFeaturedCollection(object).items.some(({ objectUri }) => localUsername(app, objectUri) !== undefined);
}

async function findOwnedCollection(app: App, actor: AccountRow, uri: string): Promise<CollectionRow | undefined> {
  const known = await findCollectionByUri(app, uri);
  return known?.account_id === actor.id && !known.local && known.uri === uri ? known : undefined;
}

/** Somebody asks to put a local account into a collection of its own: it is answered at once, by that account's setting. */
export async function receiveFeatureRequest(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  const uri = idOf(activity);
  const collectionUri = idOf(activity['instrument']);
  const member = await findLocalActor(app, activity['object']);
  if (uri === undefined || collectionUri === undefined || member === undefined || actor.inbox_url === null) return;
  if (!isSameHost(uri, actor.uri) || !isSameHost(collectionUri, actor.uri)) return;
  const isAllowed = await canFeature(app, actor.id, member.id);
  // What may not be is refused without asking another server about it.
  const id = isAllowed ? await resolveCollection(app, collectionUri) : undefined;
  const collection = id === undefined ? undefined : await findCollection(app, id);
  if (isAllowed && collection?.account_id !== actor.id) return;
  const body = (await loadCachedAccounts(app, [member.id])).get(member.id);
  const { inbox_url: inbox } = actor;
  await transaction(app, async (tx) => {
    const itemId = collection && body && (await acceptFeatureRequest(tx, app, { uri, collection, member: body }));
    const response = { actor: member.uri, id: itemId ?? newId(app.clock.now()), to: actor.uri, request: uri };
    await storeActivity(tx, app, {
      senderId: member.id,
      activity:
        itemId === undefined
          ? rejectFeature(response)
          : acceptFeature({ ...response, authorization: featureAuthorizationUri(app, member.id, itemId) }),
      context: featureContext,
      inboxes: [inbox],
      orderKey: `collection ${collectionUri}`,
    });
  });
}

/** An answer to a FeatureRequest of ours; false when it is none. An agreement needs a stamp on the answerer's server. */
export async function receiveFeatureResponse(
  app: App,
  { activity, actor }: ReceivedActivity,
  isAccepted: boolean,
): Promise<boolean> {
  const requestUri = idOf(activity['object']);
  if (requestUri === undefined) return false;
  if (!isAccepted) return recordFeatureRejection(app, { requestUri, memberId: actor.id });
  const stamp = idOf(activity['result']);
  if (!isHttpUrl(stamp) || !isSameHost(stamp, actor.uri)) return false;
  return recordFeatureAcceptance(app, { requestUri, memberId: actor.id, authorizationUri: stamp });
}

/** Somebody took back its agreement to be featured, or deleted a collection of its own. */
export async function receiveCollectionDelete(
  app: App,
  { actor }: ReceivedActivity,
  object: Json | string,
): Promise<void> {
  const uri = idOf(object);
  if (uri === undefined) return;
  await revokeFeatureAuthorization(app, actor.id, uri);
  await deleteRemoteCollection(app, actor.id, uri);
}
