// Profiles: users edit, move and delete their own account; the directory lists discoverable accounts.
export { addAliasByHandle, listAliases, removeAliasByHandle } from './aliases.ts';
export { deleteOwnAccount } from './delete-own-account.ts';
export { moveOwnAccount, undoMove } from './move-own-account.ts';
export { presentProfile } from './present-profile.ts';
export { Profile } from './schema.ts';
export { routes } from './routes.ts';
