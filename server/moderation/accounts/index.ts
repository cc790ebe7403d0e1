// Accounts as staff see them.
export { presentAdminAccounts } from './present-admin-accounts.ts';
