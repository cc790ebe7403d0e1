import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { notFound, unauthorized } from '../../platform/http/http-errors.ts';
import type { AccountId, PollId, StatusId } from '../../platform/ids.ts';
import { castRemoteVote, castVotes } from '../../polls/index.ts';
import { loadPolls, type PollWithEmojis } from '../../polls/read/index.ts';
import { assertNotBlocking } from '../react/assert-not-blocking.ts';
import { requireVisibleStatus } from '../read/filter-visible-statuses.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import { isPublicOrUnlisted } from '../visibility/visibility.ts';

/**
 * Returns a poll whose status `viewerId` (undefined: anonymous) may see. Throws 404 for every other one, and 401 for an
 * anonymous viewer if the status is private or direct (POL-02).
 */
export async function requireVisiblePoll(
  app: App,
  viewerId: AccountId | undefined,
  pollId: PollId,
): Promise<PollWithEmojis> {
  const poll = (await loadPolls(app, [pollId])).get(pollId);
  if (poll === undefined) throw notFound();
  if (viewerId === undefined) {
    const status = (await loadCachedStatuses(app, [poll.status_id])).get(poll.status_id);
    if (status !== undefined && !isPublicOrUnlisted(status.visibility)) {
      throw unauthorized('statuses.pollNeedsSignIn');
    }
  }
  await requireVisibleStatus(app, viewerId, poll.status_id);
  return poll;
}

/**
 * Votes in a local or remote poll as a local account. No-op without choices. Throws 404 if the account may not see the
 * poll, 403 if it blocks the author, 422 as `castVotes`.
 */
export async function voteInPoll(
  app: App,
  accountId: AccountId,
  pollId: PollId,
  choices: readonly number[],
): Promise<void> {
  const poll = await requireVisiblePoll(app, accountId, pollId);
  await assertNotBlocking(app, accountId, poll.account_id);
  if (choices.length === 0) return;
  await transaction(app, (tx) => castVotes(tx, app, { pollId, accountId, choices }));
}

/** Returns whether a status has a poll with this option. */
export async function isPollOption(app: App, statusId: StatusId, option: string): Promise<boolean> {
  return (await loadCachedStatuses(app, [statusId])).get(statusId)?.poll?.options.includes(option) === true;
}

/** Counts the vote of a remote account for one option of a local poll. Returns false if the vote is not valid. */
export async function recordRemoteVote(
  app: App,
  vote: { readonly accountId: AccountId; readonly statusId: StatusId; readonly option: string },
): Promise<boolean> {
  const { accountId, statusId, option } = vote;
  const { poll } = await requireVisibleStatus(app, accountId, statusId);
  if (poll === null) return false;
  return transaction(app, (tx) => castRemoteVote(tx, app, { pollId: poll.id, accountId, option }));
}
