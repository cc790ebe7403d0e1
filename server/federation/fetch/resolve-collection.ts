import { later } from '../../platform/write/reactions.ts';
import type { AccountRow } from '../../accounts/find/index.ts';
import { findAccount } from '../../accounts/find/index.ts';
import { collectionsViewed } from '../../collections/index.ts';
import { findCollectionByUri } from '../../collections/read/index.ts';
import { deleteRemoteCollection } from '../../collections/remote/index.ts';
import type { App } from '../../platform/app.ts';
import type { CollectionId } from '../../platform/ids.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { isFeaturedCollection, parseFeaturedCollection } from '../documents/parse-featured-collection.ts';
import { hostOf, idOf, isObject, isSameHost } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { fetchCollectionItems, type CollectionItems } from './fetch-collection.ts';
import { defineFlight } from './single-flight.ts';
import { storeFeaturedCollection } from './store-featured-collection.ts';

/** Limits for the list of an account's collections (reference/limits.tsv). */
const limits = { pages: 10, items: 50 };

export const collectionFlight = defineFlight<CollectionId | undefined>('federation.collection_failures');

/**
 * Returns the collection with this id. Fetches it if it is unknown. Returns undefined if it does not exist or cannot be
 * fetched.
 */
export async function resolveCollection(app: App, uri: string): Promise<CollectionId | undefined> {
  const existing = await findCollectionByUri(app, uri);
  if (existing !== undefined) return existing.id;
  const host = hostOf(uri);
  if (host === undefined || host === app.config.webDomain) return undefined;
  try {
    return await collectionFlight(app, uri, async () => storeFeaturedCollection(app, await fetchObject(app, uri)));
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
    app.log.debug({ err: error, uri }, 'a collection could not be resolved');
    return undefined;
  }
}

/**
 * Stores the collections on the profile of a remote account. Deletes those that are no longer listed if the whole list
 * was read.
 */
export async function refreshFeaturedCollections(app: App, account: AccountRow): Promise<void> {
  const found = await fetchFeaturedCollections(app, account);
  if (found === undefined) return;
  const named = new Set<string>();
  for (const item of found.items) {
    const uri = idOf(item);
    if (uri === undefined || !isSameHost(uri, account.uri)) continue;
    named.add(uri);
    await storeListedCollection(app, account, isObject(item) && isFeaturedCollection(item) ? item : uri);
  }
  if (!found.complete) return;
  for (const uri of await listDiscoverableUris(app, account)) {
    if (!named.has(uri)) await deleteRemoteCollection(app, account.id, uri);
  }
}

async function storeListedCollection(app: App, { uri: ownerUri }: AccountRow, item: object | string): Promise<void> {
  try {
    const document = typeof item === 'string' ? await fetchObject(app, item) : { ...item };
    if (parseFeaturedCollection(document).attributedTo === ownerUri) await storeFeaturedCollection(app, document);
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
    app.log.debug({ err: error, owner: ownerUri }, 'a collection could not be read');
  }
}

async function fetchFeaturedCollections(app: App, account: AccountRow): Promise<CollectionItems | undefined> {
  const { featured_collections_url: url, uri } = account;
  if (url === null) return undefined;
  try {
    return await fetchCollectionItems(app, url, uri, limits);
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}

async function listDiscoverableUris(app: App, { id }: AccountRow): Promise<string[]> {
  const rows = await app.db
    .selectFrom('collections')
    .select('uri')
    .where('account_id', '=', id)
    .where('local', '=', false)
    .where('discoverable', '=', true)
    .execute();
  return rows.map(({ uri }) => uri);
}

/** Refreshes the collections of a remote account after a user viewed them. */
export const refreshViewedCollections = later('remote', [collectionsViewed], {
  name: 'account.refresh_featured_collections',
  run: async (app, { accountId }) => {
    const account = await findAccount(app, accountId);
    if (account === undefined || account.domain === null || account.suspended_at !== null) return;
    if (await isBlockedDomain(app, account.domain)) return;
    await refreshFeaturedCollections(app, account);
  },
});
