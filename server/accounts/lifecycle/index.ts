// Creation, activation, suspension and deletion of accounts.
export { accountSensitivityChanged, accountSilenceChanged } from './limit-events.ts';
export { activateAccount, createLocalAccount } from './create-local-account.ts';
export { deleteAccount, markDeleted } from './delete-account.ts';
export { deleteUnactivatedAccounts } from './delete-unactivated-accounts.ts';
export { markSuspended } from './mark-suspended.ts';
export { markSensitized, unmarkSensitized } from './sensitize-account.ts';
export { markSilenced, unmarkSilenced } from './silence-account.ts';
export { findDeletedAccount, reattachAccount, type DeletedAccount } from './reattach-account.ts';
export { lockAccountStats, setAccountStats, type AccountStats } from './repair-account-stats.ts';
export { suspensionRetentionDays } from './suspension-retention.ts';
export { unmarkSuspended } from './unmark-suspended.ts';
