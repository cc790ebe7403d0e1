// Accounts as staff see and list them.
export { presentAdminAccount, presentAdminAccounts } from './present-admin-accounts.ts';
export { AdminAccount } from './schema.ts';
