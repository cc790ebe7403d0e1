import { later } from '../../platform/write/reactions.ts';
import { findAccount, type AccountRow } from '../../accounts/find/index.ts';
import { storeActorCollectionStats } from '../../accounts/remote/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { DocumentError } from '../documents/parse-document.ts';
import type { Json } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { collectionsRefreshRequested, featuredRefreshRequested } from '../events.ts';
import { refreshFeatured, refreshFeaturedTags } from './refresh-featured.ts';
import { FetchError } from './fetch-document.ts';
import { refreshFeaturedCollections } from './resolve-collection.ts';
import { fetchCollection, exposesItems, totalItemsOf } from './fetch-collection.ts';
import { hasStaleCollections } from './stale-collections.ts';

/** Fetches the collections of a remote account that was viewed or stored. */
export const refreshCollections = later('remote', [collectionsRefreshRequested], {
  name: 'account.refresh_collections',
  run: async (app, { accountId }) => {
    const account = await findAccount(app, accountId);
    if (account === undefined || account.domain === null || account.suspended_at !== null) return;
    if (!(await isBlockedDomain(app, account.domain))) await refreshStaleCollections(app, account);
  },
});

/**
 * Fetches the collections of a remote account at most once a day: the counts of posts, followers and followed accounts,
 * and its featured items.
 */
export async function refreshStaleCollections(app: App, account: AccountRow): Promise<void> {
  if (!hasStaleCollections(app, account) || !(await storeCollectionCounts(app, account))) return;
  await refreshFeatured(app, account);
  await refreshFeaturedTags(app, account);
  await refreshFeaturedCollections(app, account);
}

/** Fetches the featured items of an account again after an Update. */
export const refreshFeaturedOnUpdate = later('remote', [featuredRefreshRequested], {
  name: 'account.refresh_featured',
  run: async (app, { accountId }) => {
    const account = await findAccount(app, accountId);
    if (account === undefined || account.domain === null || account.suspended_at !== null) return;
    if (await isBlockedDomain(app, account.domain)) return;
    await refreshFeatured(app, account);
    await refreshFeaturedTags(app, account);
  },
});

/** Returns false if the fetch budget does not allow it. The account stays due until it is viewed again. */
async function storeCollectionCounts(app: App, account: AccountRow): Promise<boolean> {
  const { outbox_url: outboxUrl, followers_url: followersUrl, following_url: followingUrl } = account;
  const found = await Promise.all(
    [outboxUrl, followersUrl, followingUrl].map((url) => fetchOptionalCollection(app, account, url)),
  );
  if (found.includes('over-budget')) return false;
  const [outbox, followers, following] = found as (Json | undefined)[];
  const network = [followers, following].filter((collection) => collection !== undefined);
  const counts = {
    statuses: outbox && totalItemsOf(outbox),
    followers: followers && totalItemsOf(followers),
    following: following && totalItemsOf(following),
    hidesCollections:
      network.length === 0 ? null : network.some((collection) => !exposesItems(collection) && !isEmpty(collection)),
  };
  await transaction(app, (tx) => storeActorCollectionStats(tx, app, account.id, counts));
  return true;
}

/** An empty collection hides nothing. */
const isEmpty = (collection: Json): boolean => totalItemsOf(collection) === 0;

async function fetchOptionalCollection(
  app: App,
  { uri }: AccountRow,
  url: string | null,
): Promise<Json | 'over-budget' | undefined> {
  if (url === null) return undefined;
  try {
    return await fetchCollection(app, url, uri);
  } catch (error) {
    if (error instanceof FetchError && error.overBudget) return 'over-budget';
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}
