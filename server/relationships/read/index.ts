// Accounts and relationships as a viewer sees them.
export { loadFeatureApprovals, presentAccountsFor } from './present-accounts-for.ts';
export { presentRelationships } from './present-relationships.ts';
