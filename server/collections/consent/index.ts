// Whether an account may be in a collection: requests, answers and revocation.
export { canFeature } from './featurable-accounts.ts';
export {
  acceptFeatureRequest,
  revokeFeatureAuthorization,
  recordFeatureAcceptance,
  recordFeatureRejection,
} from './feature-requests.ts';
export { recordItemResult, type ItemResult } from './record-item-result.ts';
