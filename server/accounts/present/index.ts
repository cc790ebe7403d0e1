// Cached accounts and how they are rendered for the API.
export { loadCachedAccounts, peekCachedAccount } from './account-cache.ts';
export {
  featureApprovalFor,
  dependsOnFollows,
  type FeatureApproval,
  type FeatureAudience,
  type FeaturePolicy,
} from './feature-approval.ts';
export {
  parseAccount,
  presentAccount,
  presentAccounts,
  renderAccountInto,
  toAccountTemplate,
  toAccountText,
} from './present-accounts.ts';
export { loadDeletedAccounts, type AccountContext, type CachedAccount } from './query-cached-accounts.ts';
export { acctOf, accountUrl } from './render-account.ts';
