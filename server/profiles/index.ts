// Profiles: users edit, move and delete their own account; the directory lists discoverable accounts.
export { deleteOwnAccount } from './delete-own-account.ts';
export { Profile } from './schema.ts';
export { routes } from './routes.ts';
