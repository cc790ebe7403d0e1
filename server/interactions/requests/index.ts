// Interactions that wait for the author of a post, and what authors decided about them.
export {
  deleteAccountRequests,
  deletePendingRequestsOf,
  deleteUnansweredRequest,
  insertRequest,
  lockRequest,
  type RequestRow,
  storeDecision,
  withdrawRequest,
} from './change-request.ts';
export { interactionDecided, interactionRequested, interactionWithdrawn } from './events.ts';
export {
  findRequest,
  findRequestByUri,
  isReplyPending,
  listRequests,
  listRequestsBetween,
  listRequestsByAuthorization,
  listUnansweredRequests,
} from './find-request.ts';
export type { InteractionRequestId, RequestState } from './tables.ts';
