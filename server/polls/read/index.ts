// Polls as a viewer sees them.
export { loadPolls, type PollWithEmojis } from './load-polls.ts';
export { isPollExpired, presentPoll, loadVotes } from './present-poll.ts';
