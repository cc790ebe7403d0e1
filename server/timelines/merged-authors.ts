import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';
import { followedIds } from '../relationships/index.ts';

const channel = 'timelines:merged-authors';

const known = perApp((app) => {
  const cache = new LoadingCache<'all', ReadonlySet<AccountId>>({
    size: 1,
    ttl: 60_000,
    load: async () => {
      const rows = await app.db.selectFrom('merged_authors').select('account_id').execute();
      return new Set(rows.map((row) => row.account_id));
    },
  });
  app.bus.subscribe(channel, () => cache.clear());
  app.bus.onGap(() => cache.clear());
  return cache;
});

/** Whether this author's posts are merged into feeds when these are read, and not written into them. */
export async function isMerged(app: App, accountId: AccountId): Promise<boolean> {
  return (await known(app).get('all')).has(accountId);
}

/** From now on the author's posts are merged in when feeds are read. What was written before stays and does no harm. */
export async function mergeWhenRead(app: App, accountId: AccountId): Promise<void> {
  await write(app, async ({ db, afterCommit }) => {
    await db
      .insertInto('merged_authors')
      .values({ account_id: accountId, since: app.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    afterCommit(() => app.bus.publish(channel, accountId));
  });
}

/** Those whom `accountId` follows and whose posts are not in its stored feed. */
export async function followedMergedAuthors(app: App, accountId: AccountId): Promise<AccountId[]> {
  const authors = await known(app).get('all');
  if (authors.size === 0) return [];
  const followed = await followedIds(app, accountId);
  return [...authors].filter((author) => followed.has(author));
}
