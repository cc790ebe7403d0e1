// Accounts as staff see them.
export { presentAdminAccount } from './present-admin-accounts.ts';
