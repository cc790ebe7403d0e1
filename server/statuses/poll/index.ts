// Remote votes in polls of local posts.
export { isPollOption, recordRemoteVote } from './vote-in-poll.ts';
