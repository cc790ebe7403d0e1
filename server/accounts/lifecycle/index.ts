// Creation, activation, suspension and deletion of accounts.
export { activateAccount, createLocalAccount } from './create-local-account.ts';
export { deleteAccount, markDeleted } from './delete-account.ts';
export { deleteUnactivatedAccounts } from './delete-unactivated-accounts.ts';
export { markSuspended } from './mark-suspended.ts';
export { unmarkSuspended } from './unmark-suspended.ts';
