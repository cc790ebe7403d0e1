// Profiles: users edit, move and delete their own account, staff merge others; the directory lists discoverable accounts.
export { addAliasByHandle, listAliases, removeAliasByHandle } from './aliases.ts';
export { deleteOwnAccount } from './delete-own-account.ts';
export { mergeAccounts, type MergeProblem } from './merge-accounts.ts';
export { moveOwnAccount, undoMove } from './move-own-account.ts';
export { presentProfile } from './present-profile.ts';
export { Profile } from './schema.ts';
export { routes } from './routes.ts';
