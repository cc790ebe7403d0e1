import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { findRefresh, refreshHeader, startRefresh, type RefreshKey } from '../../refreshes/index.ts';
import { threadViewed } from '../events.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import { isPublicOrUnlisted } from '../visibility/visibility.ts';

/** Age of a remote status before its replies are fetched (reference/limits.tsv). */
const minStatusAgeMs = 5 * 60_000;
/** Time between two refreshes of one thread. */
const threadRefreshIntervalMs = 15 * 60_000;
/** Seconds after which clients ask for the progress. */
const retrySeconds = 3;

/** Returns the key of the refresh of a thread, which federation counts the results of and finishes. */
export const threadRefreshKey = (statusId: StatusId): RefreshKey => `context:${statusId}`;

/**
 * Queues a fetch of the replies to a public or unlisted remote status when a signed-in viewer opens its thread. Returns the
 * header by which clients follow it while it is running, else none.
 */
export async function queueThreadRefresh(app: App, statusId: StatusId): Promise<Record<string, string>> {
  const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
  if (status === undefined || status.local) return {};
  if (!isPublicOrUnlisted(status.visibility)) return {};
  const now = app.clock.now().getTime();
  if (now - status.createdAt.getTime() < minStatusAgeMs) return {};
  const key = threadRefreshKey(statusId);
  const refresh = await findRefresh(app, key);
  if (refresh?.isRunning === true) return refreshHeader(app, key, { retrySeconds, resultCount: refresh.resultCount });
  if (refresh !== undefined && now - refresh.startedAt.getTime() < threadRefreshIntervalMs) return {};
  await transaction(app, async (tx) => {
    const options = { countsResults: true, minIntervalMs: threadRefreshIntervalMs };
    if (await startRefresh(tx, app, key, options)) tx.emit(threadViewed({ statusId, accountId: status.accountId }));
  });
  return refreshHeader(app, key, { retrySeconds, resultCount: 0 });
}
