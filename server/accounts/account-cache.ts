import { localEmojisChanged } from '../emojis/index.ts';
import type { App } from '../platform/app.ts';
import { defineCache, evict, evictAll, patch } from '../platform/caching/define-cache.ts';
import type { AccountId } from '../platform/ids.ts';
import { domainPolicyEvents } from '../site/index.ts';
import { queryCachedAccounts, withCounters, type CachedAccount } from './query-cached-accounts.ts';
import { accountChanged, accountCountersChanged } from './events.ts';

const accountCache = defineCache<AccountId, CachedAccount>({
  name: 'accounts.accounts',
  maxSize: 10_000,
  ttlMs: 60_000,
  loadMany: async (app, ids) => new Map((await queryCachedAccounts(app, [...ids])).map((body) => [body.id, body])),
  evictOn: [
    evict(accountChanged, ({ accountId }) => [accountId]),
    patch(accountCountersChanged, ({ id }) => id, withCounters),
    evictAll(localEmojisChanged, ...domainPolicyEvents),
  ],
});

/**
 * The accounts of these ids, those whose sign-up is not through included, deleted ones not. What is cached costs
 * nothing; the rest comes in at most three queries, however many there are.
 */
export const loadCachedAccounts = (app: App, ids: readonly AccountId[]): Promise<Map<AccountId, CachedAccount>> =>
  accountCache.getMany(app, new Set(ids));
