import { perApp, type App } from '../platform/app.ts';
import { Cache } from '../platform/cache.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { StatusId } from '../platform/ids.ts';
import { threadViewed } from './events.ts';
import { loadCachedStatuses } from './status-cache.ts';
import { isPublicOrUnlisted } from './visibility.ts';

/** A post of another server has this long, in milliseconds, before answers to it are looked for (reference/limits.tsv). */
const minStatusAgeMs = 5 * 60_000;
/** And they are looked for once in so long. */
export const threadRefreshIntervalMs = 15 * 60_000;

const recentRefreshes = perApp(() => new Cache<StatusId, number>({ size: 20_000, ttl: threadRefreshIntervalMs }));

/** Has the answers to a post of another server looked for, by a job, when somebody who is signed in opens its thread. */
export async function queueThreadRefresh(app: App, statusId: StatusId): Promise<void> {
  const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
  if (status === undefined || status.local) return;
  if (!isPublicOrUnlisted(status.visibility)) return;
  const now = app.clock.now().getTime();
  const lately = recentRefreshes(app);
  if (now - status.createdAt.getTime() < minStatusAgeMs || now - (lately.get(statusId) ?? 0) < threadRefreshIntervalMs)
    return;
  lately.set(statusId, now);
  const { accountId } = status;
  await transaction(app, async ({ emit }) => emit(threadViewed({ statusId, accountId })));
}
