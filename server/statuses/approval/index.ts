// Approval of interactions with posts by their authors.
export { decideRequest, requireRequest, type Decision } from './decide-request.ts';
export { statusDetached } from './events.ts';
export { presentRequests } from './present-requests.ts';
export { holdReaction } from './hold-reaction.ts';
export { revokeRequest } from './revoke-request.ts';
