// Polls: questions that posts ask, the votes on them, and their end. Who may see and answer them is up to the posts.
import type { Subscription } from '../platform/events/reactions.ts';
import { endPoll } from './end-poll.ts';
import { forgetAccount } from './forget-account.ts';
import { tellTally } from './tell-tally.ts';

export { castRemoteVote, castVotes, type Ballot } from './cast-votes.ts';
export { changePoll, type ChangedPoll } from './change-poll.ts';
export { createPoll } from './create-poll.ts';
export { pollEnded, pollTallied, pollViewed, pollVoted } from './events.ts';
export { findPolls, type PollRow, type ShownPoll } from './find-poll.ts';
export { isOver, presentPoll, votesOf } from './present-polls.ts';
export { pollLimits, readPoll, type WantedPoll } from './read-poll.ts';
export { storeRemotePoll, updateRemotePoll, type RemotePoll } from './remote-poll.ts';
export { Poll, PollInput } from './schema.ts';
export type { PollTables } from './tables.ts';

export const subscriptions: readonly Subscription[] = [endPoll.subscription, tellTally.subscription, forgetAccount];
