import { perApp, type App } from '../platform/app.ts';
import { Cache } from '../platform/cache.ts';
import { write } from '../platform/database/write.ts';
import type { PollId } from '../platform/ids.ts';
import { findPolls, isOver, pollViewed } from '../polls/index.ts';
import { statusBodies } from './status-bodies.ts';

/** Milliseconds for which counts that were asked for are new enough (reference/limits.tsv, remote poll refresh). */
const freshFor = 60_000;
const mostPolls = 5_000;

const askedLately = perApp(() => new Cache<PollId, true>({ size: mostPolls, ttl: freshFor }));

/** Has the counts of an open poll of another server asked for there, at most once a minute; by a job, nobody waits. */
export async function refreshPollLater(app: App, pollId: PollId): Promise<void> {
  const lately = askedLately(app);
  if (lately.get(pollId) === true) return;
  const poll = (await findPolls(app, [pollId])).get(pollId);
  if (poll === undefined || isOver(poll, app.clock.now())) return;
  const status = (await statusBodies(app, [poll.status_id])).get(poll.status_id);
  if (status === undefined || status.local) return;
  lately.set(pollId, true);
  const viewed = pollViewed({ pollId, statusId: poll.status_id, accountId: poll.account_id });
  await write(app, async ({ emit }) => emit(viewed));
}
