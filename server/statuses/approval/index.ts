// Approval of interactions with posts by their authors.
export { decideRequest } from './decide-request.ts';
export { holdReaction } from './hold-reaction.ts';
