import { emojisChanged } from '../../emojis/index.ts';
import type { App } from '../../platform/app.ts';
import { BatchLoadingCache } from '../../platform/caching/cache.ts';
import { evict, evictAll, patch } from '../../platform/caching/cache-reactions.ts';
import type { AccountId } from '../../platform/ids.ts';
import { siteSettingsChanged } from '../../site/index.ts';
import { domainPolicyEvents } from '../../site/domains/index.ts';
import { queryCachedAccounts, withCounters, type CachedAccount } from './query-cached-accounts.ts';
import { badgesChanged } from '../badges/events.ts';
import { accountChanged, accountCountersChanged } from '../events.ts';
import { accountSensitivityChanged } from '../lifecycle/limit-events.ts';

export const accountCache = new BatchLoadingCache<AccountId, CachedAccount>({
  name: 'accounts.accounts',
  maxSize: 10_000,
  ttlMs: 60_000,
  loadMany: async (app, ids) => new Map((await queryCachedAccounts(app, [...ids])).map((body) => [body.id, body])),
  evictOn: [
    evict(accountChanged, ({ accountId }) => [accountId]),
    evict(accountSensitivityChanged, ({ accountId }) => [accountId]),
    patch(accountCountersChanged, ({ id }) => id, withCounters),
    evictAll(emojisChanged, siteSettingsChanged, badgesChanged, ...domainPolicyEvents),
  ],
});

/**
 * Returns the accounts with these ids, including those that are not activated, without deleted ones. Loads what is not
 * cached with at most three queries.
 */
export const loadCachedAccounts = (
  app: App,
  ids: readonly AccountId[] | ReadonlySet<AccountId>,
): Promise<Map<AccountId, CachedAccount>> => accountCache.getMany(app, ids instanceof Set ? ids : new Set(ids));

/** Returns a cached account, without loading. */
export const peekCachedAccount = (app: App, id: AccountId): CachedAccount | undefined => accountCache.peek(app, id);
