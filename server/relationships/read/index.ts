// Accounts and relationships as a viewer sees them.
export { listBlocks, listFollowRequests, type ListedAccount } from './list-relations.ts';
export { loadFeatureApprovals, presentAccountsFor } from './present-accounts-for.ts';
export { presentRelationships } from './present-relationships.ts';
