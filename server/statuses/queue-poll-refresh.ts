import { perApp, type App } from '../platform/app.ts';
import { Cache } from '../platform/cache.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { PollId } from '../platform/ids.ts';
import { loadPolls, isPollExpired, pollViewed } from '../polls/index.ts';
import { loadCachedStatuses } from './status-cache.ts';

/** Milliseconds for which counts that were asked for are new enough (reference/limits.tsv, remote poll refresh). */
const refreshIntervalMs = 60_000;
const maxRecentPolls = 5_000;

const recentRefreshes = perApp(() => new Cache<PollId, true>({ size: maxRecentPolls, ttl: refreshIntervalMs }));

/** Has the counts of an open poll of another server asked for there, at most once a minute; by a job, nobody waits. */
export async function queuePollRefresh(app: App, pollId: PollId): Promise<void> {
  const lately = recentRefreshes(app);
  if (lately.get(pollId) === true) return;
  const poll = (await loadPolls(app, [pollId])).get(pollId);
  if (poll === undefined || isPollExpired(poll, app.clock.now())) return;
  const status = (await loadCachedStatuses(app, [poll.status_id])).get(poll.status_id);
  if (status === undefined || status.local) return;
  lately.set(pollId, true);
  const viewed = pollViewed({ pollId, statusId: poll.status_id, accountId: poll.account_id });
  await transaction(app, async ({ emit }) => emit(viewed));
}
