import { findAccountByUri } from '../../accounts/find/index.ts';
import { storeRemoteAccount, type RemoteAccount } from '../../accounts/remote/index.ts';
import { storeRemoteEmojis } from '../../emojis/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { parseActor, type Actor } from '../documents/parse-actor.ts';
import { hostOf, type Json } from '../documents/values.ts';
import { collectionsRefreshRequested, featuredRefreshRequested, moveTargetRequested } from '../events.ts';
import { findAccountByAddress } from '../find-account-by-address.ts';
import { isLocalActorAddress } from '../local-addresses.ts';
import { loadCollectionsStale } from './stale-collections.ts';
import { confirmHandle, parseRemoteHandle, type RemoteHandle } from './webfinger.ts';
import { FetchError } from './fetch-document.ts';

/**
 * Stores an actor from a document of its origin, either fetched or part of an activity that the actor signed. Confirms
 * the handle of a new actor with WebFinger. Queues jobs that fetch its collections and, unless `followsMove` is false,
 * the account that it moved to. `isUpdate`: the actor sent a signed Update, so its featured items are fetched again,
 * and it changed its keys itself.
 */
export async function storeActor(
  app: App,
  document: Json,
  { followsMove = true, isUpdate = false } = {},
): Promise<AccountId> {
  const actor = parseActor(document);
  const handle = (await storedHandle(app, actor)) ?? (await confirmHandle(app, actor.uri, claimedHandle(actor)));
  const movedToAccountId = await findConfirmedMoveTarget(app, actor);
  await storeRemoteEmojis(app, handle.domain, actor.emojis);
  const alsoKnownAs = await Promise.all(actor.alsoKnownAs.map((uri) => canonicalAlias(app, uri)));
  return transaction(app, async (tx) => {
    const id = await storeRemoteAccount(tx, app, {
      ...toRemoteAccount({ ...actor, alsoKnownAs }, handle),
      movedToAccountId,
      hasSignedKeys: isUpdate,
    });
    if (await loadCollectionsStale(tx, app, id)) tx.emit(collectionsRefreshRequested({ accountId: id }));
    else if (isUpdate) tx.emit(featuredRefreshRequested({ accountId: id }));
    if (followsMove && actor.movedTo !== undefined && actor.movedTo !== actor.uri && movedToAccountId === null) {
      tx.emit(moveTargetRequested({ accountId: id, uri: actor.movedTo }));
    }
    return id;
  });
}

async function storedHandle(app: App, actor: Actor): Promise<RemoteHandle | undefined> {
  const existing = await findAccountByUri(app, actor.uri);
  if (existing === undefined || existing.username.toLowerCase() !== actor.username.toLowerCase()) return undefined;
  if (existing.domain === null) throw new FetchError(`${actor.uri} is local`);
  return { username: actor.username, domain: existing.domain };
}

function claimedHandle(actor: Actor): RemoteHandle {
  const claimed = actor.webfinger === undefined ? undefined : parseRemoteHandle(actor.webfinger);
  return claimed ?? { username: actor.username, domain: hostOf(actor.uri) ?? '' };
}

/** Returns the account that an actor moved to, if it is stored and lists the actor as an alias. */
async function findConfirmedMoveTarget(app: App, { uri, movedTo }: Actor): Promise<AccountId | null> {
  if (movedTo === undefined || movedTo === uri) return null;
  const target = await findAccountByAddress(app, movedTo);
  return target?.also_known_as.includes(uri) === true ? target.id : null;
}

/** Returns the id of a local account that an alias names by its page; any other alias as it is. */
async function canonicalAlias(app: App, uri: string): Promise<string> {
  if (!isLocalActorAddress(app, uri)) return uri;
  return (await findAccountByAddress(app, uri))?.uri ?? uri;
}

function toRemoteAccount(actor: Actor, { username, domain }: RemoteHandle): RemoteAccount {
  return {
    uri: actor.uri,
    username,
    domain,
    url: actor.url ?? null,
    actorType: actor.type,
    displayName: actor.displayName,
    note: actor.summary,
    fields: actor.fields,
    locked: actor.locked,
    discoverable: actor.discoverable ?? null,
    indexable: actor.indexable,
    memorial: actor.memorial,
    showMedia: actor.showMedia,
    showMediaReplies: actor.showRepliesInMedia,
    showFeatured: actor.showFeatured,
    suspended: actor.suspended,
    avatarUrl: actor.avatar?.url ?? null,
    avatarDescription: actor.avatar?.description ?? '',
    headerUrl: actor.header?.url ?? null,
    headerDescription: actor.header?.description ?? '',
    alsoKnownAs: actor.alsoKnownAs,
    attributionDomains: actor.attributionDomains,
    inboxUrl: actor.inbox,
    sharedInboxUrl: actor.sharedInbox ?? null,
    outboxUrl: actor.outbox ?? null,
    followersUrl: actor.followers ?? null,
    followingUrl: actor.following ?? null,
    featuredUrl: actor.featured ?? null,
    featuredCollectionsUrl: actor.featuredCollections ?? null,
    featurePolicy: actor.featurePolicy ?? null,
    featuredTagsUrl: actor.featuredTags ?? null,
    publicKeys: actor.keys.map(({ id, publicKeyPem, expiresAt }) => ({ keyId: id, pem: publicKeyPem, expiresAt })),
    ...(actor.published !== undefined && { publishedAt: actor.published }),
  };
}
