import type { App } from '../../platform/app.ts';
import { defineCache } from '../../platform/caching/define-cache.ts';
import { transaction } from '../../platform/database/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { threadViewed } from '../events.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import { isPublicOrUnlisted } from '../read/visibility.ts';

/** Age of a remote status before its replies are fetched (reference/limits.tsv). */
const minStatusAgeMs = 5 * 60_000;
/** Time between two refreshes of one thread. */
export const threadRefreshIntervalMs = 15 * 60_000;

/** When a refresh of a thread was last queued, as a Unix time in milliseconds. */
const recentRefreshes = defineCache<StatusId, number>({
  name: 'statuses.thread_refreshes',
  maxSize: 20_000,
  ttlMs: threadRefreshIntervalMs,
});

/** Queues a fetch of the replies to a public or unlisted remote status when a signed-in viewer opens its thread. */
export async function queueThreadRefresh(app: App, statusId: StatusId): Promise<void> {
  const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
  if (status === undefined || status.local) return;
  if (!isPublicOrUnlisted(status.visibility)) return;
  const now = app.clock.now().getTime();
  const queuedAt = recentRefreshes.peek(app, statusId) ?? 0;
  if (now - status.createdAt.getTime() < minStatusAgeMs || now - queuedAt < threadRefreshIntervalMs) return;
  recentRefreshes.set(app, statusId, now);
  const { accountId } = status;
  await transaction(app, async ({ emit }) => emit(threadViewed({ statusId, accountId })));
}
