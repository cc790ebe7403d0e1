import { perApp, type App } from '../platform/app.ts';
import { Cache } from '../platform/cache.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { loadCachedAccounts } from './account-cache.ts';
import { accountViewed } from './events.ts';
import { isOutdated } from './is-outdated.ts';

/** A server that does not answer is asked again after this many milliseconds at the earliest. */
const viewIntervalMs = 3_600_000;

const recentViews = perApp(() => new Cache<AccountId, number>({ size: 20_000, ttl: viewIntervalMs }));

/** Queues a refresh of a remote account that is viewed, if it was not fetched for a day or its collections never were. */
export async function recordAccountView(app: App, accountId: AccountId): Promise<void> {
  const account = (await loadCachedAccounts(app, [accountId])).get(accountId);
  if (account === undefined || account.domain === null) return;
  if (!isOutdated(app, account.fetchedAt)) return;
  const now = app.clock.now().getTime();
  const views = recentViews(app);
  if (now - (views.get(accountId) ?? 0) < viewIntervalMs) return;
  views.set(accountId, now);
  await transaction(app, async ({ emit }) => emit(accountViewed({ accountId })));
}
