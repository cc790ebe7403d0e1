import type { App } from '../../platform/app.ts';
import { Cache } from '../../platform/caching/cache.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadCachedAccounts } from '../present/account-cache.ts';
import { accountViewed } from '../events.ts';
import { isOutdated } from './is-outdated.ts';

/** Minimum interval between two refreshes of an account whose server does not answer. */
const viewIntervalMs = 3_600_000;

/** Time of the last queued refresh, in milliseconds since the epoch. */
export const recentViews = new Cache<AccountId, number>({
  name: 'accounts.recent_views',
  maxSize: 20_000,
  ttlMs: viewIntervalMs,
});

/** Queues a refresh of a remote account that is viewed, if it was not fetched for a day or its collections never were. */
export async function recordAccountView(app: App, accountId: AccountId): Promise<void> {
  const account = (await loadCachedAccounts(app, [accountId])).get(accountId);
  if (account === undefined || account.domain === null) return;
  if (!isOutdated(app, account.fetchedAt)) return;
  const now = app.clock.now().getTime();
  if (now - (recentViews.peek(app, accountId) ?? 0) < viewIntervalMs) return;
  recentViews.set(app, accountId, now);
  await transaction(app, async ({ emit }) => emit(accountViewed({ accountId })));
}
