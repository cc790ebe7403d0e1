import { localEmojisChanged } from '../emojis/index.ts';
import type { App } from '../platform/app.ts';
import { defineCache, evict, evictAll, patch } from '../platform/caching/define-cache.ts';
import type { AccountId } from '../platform/ids.ts';
import { domainPolicyEvents } from '../site/index.ts';
import { loadBodies, withCounters, type AccountBody } from './account-bodies.ts';
import { accountChanged, accountCountersChanged } from './events.ts';

const accountCache = defineCache<AccountId, AccountBody>({
  name: 'accounts.accounts',
  maxSize: 10_000,
  ttlMs: 60_000,
  loadMany: async (app, ids) => new Map((await loadBodies(app, [...ids])).map((body) => [body.id, body])),
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
export const accountBodies = (app: App, ids: readonly AccountId[]): Promise<Map<AccountId, AccountBody>> =>
  accountCache.getMany(app, new Set(ids));
