import type { App } from '../../platform/app.ts';
import { Cache } from '../../platform/caching/cache.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { PollId } from '../../platform/ids.ts';
import { loadPolls, isPollExpired } from '../../polls/read/index.ts';
import { pollViewed } from '../../polls/index.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';

/** Polls that a refresh was queued for within the last minute (reference/limits.tsv, remote poll refresh). */
export const recentRefreshes = new Cache<PollId, true>({
  name: 'statuses.poll_refreshes',
  maxSize: 5_000,
  ttlMs: 60_000,
});

/** Queues a refresh of the counts of an open remote poll, at most once a minute. */
export async function queuePollRefresh(app: App, pollId: PollId): Promise<void> {
  if (recentRefreshes.peek(app, pollId) === true) return;
  const poll = (await loadPolls(app, [pollId])).get(pollId);
  if (poll === undefined || isPollExpired(poll, app.clock.now())) return;
  const status = (await loadCachedStatuses(app, [poll.status_id])).get(poll.status_id);
  if (status === undefined || status.local) return;
  recentRefreshes.set(app, pollId, true);
  const viewed = pollViewed({ pollId, statusId: poll.status_id, accountId: poll.account_id });
  await transaction(app, async ({ emit }) => emit(viewed));
}
