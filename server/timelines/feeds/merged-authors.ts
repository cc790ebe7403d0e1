import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evictAll } from '../../platform/caching/cache-reactions.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadFollowedIds } from '../../relationships/rules/index.ts';
import { authorMerged } from '../events.ts';
import { writable } from '../tables.ts';

export const mergedAuthors = new LoadingCache<'all', ReadonlySet<AccountId>>({
  name: 'timeline.merged_authors',
  maxSize: 1,
  ttlMs: 60_000,
  load: async (app) => {
    const rows = await app.db.selectFrom('merged_authors').select('account_id').execute();
    return new Set(rows.map((row) => row.account_id));
  },
  evictOn: [evictAll(authorMerged)],
});

/** Whether the statuses of an author are merged into home feeds on read, instead of written into them. */
export async function isMergedAuthor(app: App, accountId: AccountId): Promise<boolean> {
  return (await mergedAuthors.get(app, 'all')).has(accountId);
}

/** Merges the future statuses of an author into home feeds on read. Entries already written stay. */
export async function markMergedAuthor(app: App, accountId: AccountId): Promise<void> {
  await transaction(app, async ({ db, emit }) => {
    await writable(db)
      .insertInto('merged_authors')
      .values({ account_id: accountId, since: app.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    emit(authorMerged({ accountId }));
  });
}

/** Returns the followed authors whose statuses are not in the stored home feed. */
export async function listFollowedMergedAuthors(app: App, accountId: AccountId): Promise<AccountId[]> {
  const authors = await mergedAuthors.get(app, 'all');
  if (authors.size === 0) return [];
  const followed = await loadFollowedIds(app, accountId);
  return [...authors].filter((author) => followed.has(author));
}
