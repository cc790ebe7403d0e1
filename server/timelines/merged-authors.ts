import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { loadFollowedIds } from '../relationships/index.ts';

const mergedAuthorsChanged = 'timelines:merged-authors';

const mergedAuthorsCache = perApp((app) => {
  const cache = new LoadingCache<'all', ReadonlySet<AccountId>>({
    size: 1,
    ttl: 60_000,
    load: async () => {
      const rows = await app.db.selectFrom('merged_authors').select('account_id').execute();
      return new Set(rows.map((row) => row.account_id));
    },
  });
  app.bus.subscribe(mergedAuthorsChanged, () => cache.clear());
  app.bus.onGap(() => cache.clear());
  return cache;
});

/** Whether this author's posts are merged into feeds when these are read, and not written into them. */
export async function isMergedAuthor(app: App, accountId: AccountId): Promise<boolean> {
  return (await mergedAuthorsCache(app).get('all')).has(accountId);
}

/** From now on the author's posts are merged in when feeds are read. What was written before stays and does no harm. */
export async function markMergedAuthor(app: App, accountId: AccountId): Promise<void> {
  await transaction(app, async ({ db, afterCommit }) => {
    await db
      .insertInto('merged_authors')
      .values({ account_id: accountId, since: app.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    afterCommit(() => app.bus.publish(mergedAuthorsChanged, accountId));
  });
}

/** Those whom `accountId` follows and whose posts are not in its stored feed. */
export async function listFollowedMergedAuthors(app: App, accountId: AccountId): Promise<AccountId[]> {
  const authors = await mergedAuthorsCache(app).get('all');
  if (authors.size === 0) return [];
  const followed = await loadFollowedIds(app, accountId);
  return [...authors].filter((author) => followed.has(author));
}
