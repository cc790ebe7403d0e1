// Folders of bookmarks, and search in bookmarks. The bookmarks themselves belong to statuses.
import type { Subscription } from '../platform/write/subscriptions.ts';
import { deleteAccountFolders } from './change-folders.ts';

export { countFolderItems } from './find-folders.ts';
export { routes } from './routes.ts';

export const subscriptions: readonly Subscription[] = [deleteAccountFolders];
