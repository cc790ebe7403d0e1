import { perApp, type App } from '../platform/app.ts';
import { Cache } from '../platform/cache.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';
import { accountBodies } from './account-cache.ts';
import { accountViewed } from './events.ts';
import { isOutdated } from './is-outdated.ts';

/** A server that does not answer is asked again after this many milliseconds at the earliest. */
const patience = 3_600_000;

const askedLately = perApp(() => new Cache<AccountId, number>({ size: 20_000, ttl: patience }));

/** Queues a refresh of a remote account that is viewed, if it was not fetched for a day or its collections never were. */
export async function noteView(app: App, accountId: AccountId): Promise<void> {
  const account = (await accountBodies(app, [accountId])).get(accountId);
  if (account === undefined || account.domain === null) return;
  if (!isOutdated(app, account.fetchedAt)) return;
  const now = app.clock.now().getTime();
  const lately = askedLately(app);
  if (now - (lately.get(accountId) ?? 0) < patience) return;
  lately.set(accountId, now);
  await write(app, async ({ emit }) => emit(accountViewed({ accountId })));
}
