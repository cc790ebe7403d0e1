import { loadCachedAccounts } from '../../accounts/present/index.ts';
import type { AccountRow } from '../../accounts/find/index.ts';
import {
  acceptFeatureRequest,
  revokeFeatureAuthorization,
  canFeature,
  recordFeatureAcceptance,
  recordFeatureRejection,
} from '../../collections/consent/index.ts';
import { featureAuthorizationUri } from '../../collections/index.ts';
import { findCollection, findCollectionByUri, type CollectionRow } from '../../collections/read/index.ts';
import { deleteRemoteCollection, removeRemoteItem } from '../../collections/remote/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { storeActivity } from '../delivery/store-activity.ts';
import { acceptFeature, featureContext, rejectFeature } from '../documents/feature-activities.ts';
import { isFeaturedCollection, parseFeaturedCollection } from '../documents/parse-featured-collection.ts';
import { idOf, isHttpUrl, isObject, isSameHost, typesOf, type Json } from '../documents/values.ts';
import { fetchObject } from '../fetch/fetch-document.ts';
import { resolveCollection } from '../fetch/resolve-collection.ts';
import { storeFeaturedCollection, storeFeaturedItem } from '../fetch/store-featured-collection.ts';
import { isFollowedLocally, isLocalAccountAmong } from './relevance.ts';
import { findLocalActor, type ReceivedActivity } from './received-activity.ts';

/**
 * Stores a new collection of the actor, or adds an account to an existing one. An unknown collection is stored only if
 * its owner has local followers or it contains a local account.
 */
export async function receiveCollectionAdd(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  const { object } = activity;
  const target = idOf(activity['target']);
  if (isFeaturedCollection(object) || target === actor.featured_collections_url) {
    return storeRelevantCollection(app, actor, object);
  }
  const existing = target === undefined ? undefined : await findOwnedCollection(app, actor, target);
  if (existing !== undefined) return storeFeaturedItem(app, existing, object);
  const isItem = typesOf(object).includes('FeaturedItem');
  if (isItem && target !== undefined && isSameHost(target, actor.uri) && (await isFollowedLocally(app, [actor.id]))) {
    await resolveCollection(app, target);
  }
}

/** Deletes a collection of the actor, or removes an account from one. */
export async function receiveCollectionRemove(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  const target = idOf(activity['target']);
  const uri = idOf(activity['object']);
  if (uri === undefined || target === undefined) return;
  if (await deleteRemoteCollection(app, actor.id, uri)) return;
  await removeRemoteItem(app, actor.id, { collectionUri: target, itemUri: uri });
}

/** Updates a collection of the actor. */
export async function receiveCollectionUpdate(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  await storeRelevantCollection(app, actor, activity['object']);
}

async function storeRelevantCollection(app: App, actor: AccountRow, object: unknown): Promise<void> {
  const uri = idOf(object);
  if (uri === undefined || !isSameHost(uri, actor.uri)) return;
  const existing = await findOwnedCollection(app, actor, uri);
  if (existing === undefined && !(await isRelevantCollection(app, actor, object))) return;
  const isEmbedded = isObject(object) && isFeaturedCollection(object);
  const document = isEmbedded ? object : await fetchObject(app, uri);
  const { attributedTo, updatedAt } = parseFeaturedCollection(document);
  if (attributedTo !== actor.uri) return;
  // An Update may be late. The origin serves the newest version.
  if (isEmbedded && existing !== undefined && updatedAt !== undefined && updatedAt < existing.updated_at) return;
  await storeFeaturedCollection(app, document);
}

async function isRelevantCollection(app: App, actor: AccountRow, object: unknown): Promise<boolean> {
  if (await isFollowedLocally(app, [actor.id])) return true;
  if (!isFeaturedCollection(object)) return false;
  return isLocalAccountAmong(
    app,
    parseFeaturedCollection(object).items.map(({ objectUri }) => objectUri),
  );
}

async function findOwnedCollection(app: App, actor: AccountRow, uri: string): Promise<CollectionRow | undefined> {
  const existing = await findCollectionByUri(app, uri);
  return existing?.account_id === actor.id && !existing.local && existing.uri === uri ? existing : undefined;
}

/** Answers the request of an actor to feature a local account, according to that account's policy. */
export async function receiveFeatureRequest(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  const uri = idOf(activity);
  const collectionUri = idOf(activity['instrument']);
  const member = await findLocalActor(app, activity['object']);
  if (uri === undefined || collectionUri === undefined || member === undefined || actor.inbox_url === null) return;
  if (!isSameHost(uri, actor.uri) || !isSameHost(collectionUri, actor.uri)) return;
  const isAllowed = await canFeature(app, actor.id, member.id);
  // Refused requests cause no fetch.
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

/**
 * Records the answer to a local FeatureRequest. Returns false if it is not one. An acceptance needs an authorization on
 * the actor's server.
 */
export async function receiveFeatureResponse(
  app: App,
  { activity, actor }: ReceivedActivity,
  isAccepted: boolean,
): Promise<boolean> {
  const requestUri = idOf(activity['object']);
  if (requestUri === undefined) return false;
  if (!isAccepted) return recordFeatureRejection(app, { requestUri, memberId: actor.id });
  const authorizationUri = idOf(activity['result']);
  if (!isHttpUrl(authorizationUri) || !isSameHost(authorizationUri, actor.uri)) return false;
  return recordFeatureAcceptance(app, { requestUri, memberId: actor.id, authorizationUri });
}

/** Revokes the actor's authorization of an item, or deletes a collection of the actor. */
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
