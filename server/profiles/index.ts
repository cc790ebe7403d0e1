// Profiles: what people do with their own account (edit, move, delete it), and the directory of those who want to be found.
export { deleteOwnAccount } from './delete-own-account.ts';
export { Profile } from './schema.ts';
export { routes } from './routes.ts';
