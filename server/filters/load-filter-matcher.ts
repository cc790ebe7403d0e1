import type { App } from '../platform/app.ts';
import { BatchLoadingCache } from '../platform/caching/cache.ts';
import { evict } from '../platform/caching/cache-reactions.ts';
import type { AccountId } from '../platform/ids.ts';
import { filtersChanged } from './events.ts';
import { FilterMatcher } from './filter-matcher.ts';
import { loadFilterRows, type FilterRow } from './find-filters.ts';

/** States of all automata together: about 100 MB. Ten keywords have about a hundred states. */
const maxWeight = 4_000_000;

export const matcherCache = new BatchLoadingCache<AccountId, FilterMatcher>({
  name: 'filters.matchers',
  maxSize: 20_000,
  weight: { max: maxWeight, of: ({ weight }) => weight },
  ttlMs: 600_000,
  loadMany: compileMatchers,
  evictOn: [evict(filtersChanged, ({ accountId }) => [accountId])],
});

/** Returns the compiled filters of an account, without expired ones. Requests of one turn share a statement. */
export async function loadFilterMatcher(app: App, accountId: AccountId): Promise<FilterMatcher> {
  return (await loadFilterMatchers(app, [accountId])).get(accountId) as FilterMatcher;
}

/** Like `loadFilterMatcher`, for many accounts. */
export async function loadFilterMatchers(
  app: App,
  accountIds: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, FilterMatcher>> {
  const now = app.clock.now();
  const matchers = await matcherCache.getMany(app, accountIds);
  const expired = accountIds.filter((id) => {
    const expiresAt = matchers.get(id)?.expiresAt;
    return expiresAt !== undefined && expiresAt <= now;
  });
  if (expired.length === 0) return matchers;
  for (const id of expired) matcherCache.evict(app, id);
  for (const [id, matcher] of await matcherCache.getMany(app, expired)) matchers.set(id, matcher);
  return matchers;
}

async function compileMatchers(app: App, accountIds: readonly AccountId[]): Promise<Map<AccountId, FilterMatcher>> {
  const rows = Map.groupBy(await loadFilterRows(app, { accountIds }), (row) => row.account_id);
  const now = app.clock.now();
  return new Map(
    accountIds.map((id) => {
      const filters: readonly FilterRow[] = rows.get(id) ?? [];
      return [id, new FilterMatcher(filters, now)];
    }),
  );
}
