import { on } from '../../platform/events/reactions.ts';
import { findAccount, storeCollectionFacts, type AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import { DocumentError } from '../documents/parse-document.ts';
import type { Json } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { collectionsWanted, featuredWanted } from '../events.ts';
import { refreshFeatured, refreshFeaturedTags } from './refresh-featured.ts';
import { FetchError } from './fetch-document.ts';
import { refreshFeaturedCollections } from './resolve-featured.ts';
import { fetchCollection, isOpen, totalOf } from './read-collection.ts';
import { isStale } from './stale-collections.ts';

/**
 * Reads the collections of an account of another server: how many it follows, how many follow it, how much it posted,
 * what it has on top of its profile. At most once a day.
 */
export const refreshCollections = on([collectionsWanted], {
  name: 'refresh-collections',
  queue: 'remote',
  run: async (app, { accountId }) => {
    const account = await findAccount(app, accountId);
    if (account === undefined || account.domain === null || account.suspended_at !== null || !isStale(app, account))
      return;
    if (await isBlockedDomain(app, account.domain)) return;
    if (!(await storeFacts(app, account))) return;
    await refreshFeatured(app, account);
    await refreshFeaturedTags(app, account);
    await refreshFeaturedCollections(app, account);
  },
});

/** Fetches what an account features again after its Update. */
export const refreshFeaturedOnUpdate = on([featuredWanted], {
  name: 'refresh-featured',
  queue: 'remote',
  run: async (app, { accountId }) => {
    const account = await findAccount(app, accountId);
    if (account === undefined || account.domain === null || account.suspended_at !== null) return;
    if (await isBlockedDomain(app, account.domain)) return;
    await refreshFeatured(app, account);
    await refreshFeaturedTags(app, account);
  },
});

/** False if the fetch budget does not allow it: the account stays due, and is read when somebody looks at it. */
async function storeFacts(app: App, account: AccountRow): Promise<boolean> {
  const { outbox_url: outboxUrl, followers_url: followersUrl, following_url: followingUrl } = account;
  const found = await Promise.all([outboxUrl, followersUrl, followingUrl].map((url) => find(app, account, url)));
  if (found.includes('over-budget')) return false;
  const [outbox, followers, following] = found as (Json | undefined)[];
  const network = [followers, following].filter((collection) => collection !== undefined);
  const facts = {
    statuses: outbox && totalOf(outbox),
    followers: followers && totalOf(followers),
    following: following && totalOf(following),
    hidesNetwork:
      network.length === 0 ? null : network.some((collection) => !isOpen(collection) && !isEmpty(collection)),
  };
  await write(app, (write) => storeCollectionFacts(write, app, account.id, facts));
  return true;
}

/** Nothing is hidden where there is nothing. */
const isEmpty = (collection: Json): boolean => totalOf(collection) === 0;

async function find(app: App, { uri }: AccountRow, url: string | null): Promise<Json | 'over-budget' | undefined> {
  if (url === null) return undefined;
  try {
    return await fetchCollection(app, url, uri);
  } catch (error) {
    if (error instanceof FetchError && error.overBudget) return 'over-budget';
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}
