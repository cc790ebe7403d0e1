import { statusChanged, viewerStatesChanged } from './events.ts';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { notFound, unauthorized } from '../platform/http/problems.ts';
import type { AccountId, PollId, StatusId } from '../platform/ids.ts';
import { castRemoteVote, castVotes, findPolls, type ShownPoll } from '../polls/index.ts';
import { refuseBlocked } from './favourite-status.ts';
import { requireVisibleStatus } from './keep-visible.ts';
import { statusBodies } from './status-bodies.ts';

/**
 * The poll of a status that `viewerId` may see; 404 for every other, and for the anonymous 401 where a token might help
 * (POL-02).
 */
export async function requireVisiblePoll(
  app: App,
  viewerId: AccountId | undefined,
  pollId: PollId,
): Promise<ShownPoll> {
  const poll = (await findPolls(app, [pollId])).get(pollId);
  if (poll === undefined) throw notFound();
  if (viewerId === undefined) {
    const status = (await statusBodies(app, [poll.status_id])).get(poll.status_id);
    if (status?.visibility === 'private' || status?.visibility === 'direct') {
      throw unauthorized('This poll is not public: sign in to see it');
    }
  }
  await requireVisibleStatus(app, viewerId, poll.status_id);
  return poll;
}

/**
 * Votes in a poll, local or remote, as a local account. No choices at all change nothing. Throws 404 for a poll that the
 * account may not see, 403 when it blocks the author, 422 as `castVotes` does.
 */
export async function voteInPoll(
  app: App,
  accountId: AccountId,
  pollId: PollId,
  choices: readonly number[],
): Promise<void> {
  const poll = await requireVisiblePoll(app, accountId, pollId);
  await refuseBlocked(app, accountId, poll.account_id);
  if (choices.length === 0) return;
  await write(app, async (transaction) => {
    await castVotes(transaction, app, { pollId, accountId, choices });
    transaction.emit(statusChanged({ statusId: poll.status_id }));
    transaction.emit(viewerStatesChanged({ viewerId: accountId }));
  });
}

/** Returns whether a status has a poll with this option. */
export async function isPollOption(app: App, statusId: StatusId, option: string): Promise<boolean> {
  return (await statusBodies(app, [statusId])).get(statusId)?.poll?.options.includes(option) === true;
}

/** Counts the vote of a remote account for one option of a local status's poll; false when it does not count. */
export async function receiveVote(
  app: App,
  vote: { readonly accountId: AccountId; readonly statusId: StatusId; readonly option: string },
): Promise<boolean> {
  const { accountId, statusId, option } = vote;
  const { id, poll } = await requireVisibleStatus(app, accountId, statusId);
  if (poll === null) return false;
  return write(app, async (transaction) => {
    const counted = await castRemoteVote(transaction, app, { pollId: poll.id, accountId, option });
    if (counted) transaction.emit(statusChanged({ statusId: id }));
    return counted;
  });
}
