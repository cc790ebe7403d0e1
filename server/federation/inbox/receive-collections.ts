import { accountBodies, type AccountRow } from '../../accounts/index.ts';
import {
  acceptRequest,
  approvalUri,
  findCollection,
  findCollectionByUri,
  loseStamp,
  mayFeature,
  removeRemoteCollection,
  removeRemoteItem,
  takeConsent,
  takeRefusal,
  type CollectionRow,
} from '../../collections/index.ts';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import { newId } from '../../platform/ids.ts';
import { storeActivity } from '../delivery/store-activity.ts';
import { acceptFeature, featureContext, rejectFeature } from '../documents/feature-activities.ts';
import { isFeaturedCollection, readFeaturedCollection } from '../documents/read-featured.ts';
import { idOf, isHttpUrl, isObject, sameHost, typesOf, type Json } from '../documents/values.ts';
import { fetchObject } from '../fetch/fetch-document.ts';
import { resolveCollection } from '../fetch/resolve-featured.ts';
import { storeFeaturedCollection, storeFeaturedItem } from '../fetch/store-featured.ts';
import { localUsername } from '../local-addresses.ts';
import { isFollowedHere } from './relevance.ts';
import { localAccountOf, type Received } from './received.ts';

/**
 * Somebody made a collection, or put an account into one of its own. A collection that is not known is kept when somebody
 * here follows its owner or stands in it.
 */
export async function receiveCollectionAdd(app: App, { activity, actor }: Received): Promise<void> {
  const { object } = activity;
  const target = idOf(activity['target']);
  if (isFeaturedCollection(object) || target === actor.featured_collections_url) {
    return keepCollection(app, actor, object);
  }
  const known = target === undefined ? undefined : await ownCollection(app, actor, target);
  if (known !== undefined) return storeFeaturedItem(app, known, object);
  const isItem = typesOf(object).includes('FeaturedItem');
  if (isItem && target !== undefined && sameHost(target, actor.uri) && (await isFollowedHere(app, [actor.id]))) {
    await resolveCollection(app, target);
  }
}

/** Somebody deleted a collection of its own, or took an account out of one. */
export async function receiveCollectionRemove(app: App, { activity, actor }: Received): Promise<void> {
  const target = idOf(activity['target']);
  const uri = idOf(activity['object']);
  if (uri === undefined || target === undefined) return;
  if (await removeRemoteCollection(app, actor.id, uri)) return;
  await removeRemoteItem(app, actor.id, { collectionUri: target, itemUri: uri });
}

/** Somebody changed what is said of a collection of its own, or who is in it. */
export async function receiveCollectionUpdate(app: App, { activity, actor }: Received): Promise<void> {
  await keepCollection(app, actor, activity['object']);
}

async function keepCollection(app: App, actor: AccountRow, object: unknown): Promise<void> {
  const uri = idOf(object);
  if (uri === undefined || !sameHost(uri, actor.uri)) return;
  const known = await ownCollection(app, actor, uri);
  if (known === undefined && !(await concernsUs(app, actor, object))) return;
  const document = isObject(object) && isFeaturedCollection(object) ? object : await fetchObject(app, uri);
  if (readFeaturedCollection(document).attributedTo === actor.uri) await storeFeaturedCollection(app, document);
}

async function concernsUs(app: App, actor: AccountRow, object: unknown): Promise<boolean> {
  if (await isFollowedHere(app, [actor.id])) return true;
  if (!isFeaturedCollection(object)) return false;
  return readFeaturedCollection(object).items.some(({ objectUri }) => localUsername(app, objectUri) !== undefined);
}

async function ownCollection(app: App, actor: AccountRow, uri: string): Promise<CollectionRow | undefined> {
  const known = await findCollectionByUri(app, uri);
  return known?.account_id === actor.id && !known.local && known.uri === uri ? known : undefined;
}

/** Somebody asks to put a local account into a collection of its own: it is answered at once, by that account's setting. */
export async function receiveFeatureRequest(app: App, { activity, actor }: Received): Promise<void> {
  const uri = idOf(activity);
  const collectionUri = idOf(activity['instrument']);
  const member = await localAccountOf(app, activity['object']);
  if (uri === undefined || collectionUri === undefined || member === undefined || actor.inbox_url === null) return;
  if (!sameHost(uri, actor.uri) || !sameHost(collectionUri, actor.uri)) return;
  const isAllowed = await mayFeature(app, actor.id, member.id);
  // What may not be is refused without asking another server about it.
  const id = isAllowed ? await resolveCollection(app, collectionUri) : undefined;
  const collection = id === undefined ? undefined : await findCollection(app, id);
  if (isAllowed && collection?.account_id !== actor.id) return;
  const body = (await accountBodies(app, [member.id])).get(member.id);
  const { inbox_url: inbox } = actor;
  await write(app, async (write) => {
    const itemId = collection && body && (await acceptRequest(write, app, { uri, collection, member: body }));
    const answer = { actor: member.uri, id: itemId ?? newId(app.clock.now()), to: actor.uri, request: uri };
    await storeActivity(write, app, {
      senderId: member.id,
      activity:
        itemId === undefined
          ? rejectFeature(answer)
          : acceptFeature({ ...answer, stamp: approvalUri(app, member.id, itemId) }),
      context: featureContext,
      inboxes: [inbox],
      orderKey: `collection ${collectionUri}`,
    });
  });
}

/** An answer to a FeatureRequest of ours; false when it is none. An agreement needs a stamp on the answerer's server. */
export async function receiveFeatureAnswer(
  app: App,
  { activity, actor }: Received,
  isAccepted: boolean,
): Promise<boolean> {
  const requestUri = idOf(activity['object']);
  if (requestUri === undefined) return false;
  if (!isAccepted) return takeRefusal(app, { requestUri, memberId: actor.id });
  const stamp = idOf(activity['result']);
  if (!isHttpUrl(stamp) || !sameHost(stamp, actor.uri)) return false;
  return takeConsent(app, { requestUri, memberId: actor.id, stamp });
}

/** Somebody took back its agreement to be featured, or deleted a collection of its own. */
export async function receiveCollectionDelete(app: App, { actor }: Received, object: Json | string): Promise<void> {
  const uri = idOf(object);
  if (uri === undefined) return;
  await loseStamp(app, actor.id, uri);
  await removeRemoteCollection(app, actor.id, uri);
}
