// Approval of interactions with posts by their authors.
export { decideRequest, type Decision } from './decide-request.ts';
export { statusDetached } from './events.ts';
export { holdReaction } from './hold-reaction.ts';
export { revokeRequest } from './revoke-request.ts';
