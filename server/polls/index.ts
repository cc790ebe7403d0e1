// Polls, their votes and their end. Statuses decide who may see them and vote.
import type { Subscription } from '../platform/write/subscriptions.ts';
import { endPoll } from './end-poll.ts';
import { deleteAccountVotes } from './delete-account-votes.ts';
import { sendPollUpdate } from './send-poll-update.ts';

export { schedulePollEnd } from './end-poll.ts';
export { castRemoteVote, castVotes } from './cast-votes.ts';
export { updatePoll } from './update-poll.ts';
export { createPolls } from './create-poll.ts';
export { pollEnded, pollRefreshed, pollUpdated, pollViewed, pollVoted } from './events.ts';
export { parsePoll, parsePollEdit, pollLimits, type PollEdit, type PollParams } from './parse-poll.ts';
export { storeRemotePoll, updateRemotePoll, type RemotePoll } from './remote-poll.ts';
export { Poll, PollInput } from './schema.ts';

export const subscriptions: readonly Subscription[] = [
  endPoll.subscription,
  sendPollUpdate.subscription,
  deleteAccountVotes,
];
