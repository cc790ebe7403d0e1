// Lists: groups of followed accounts with a timeline of their own.
import { inTransaction, later } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { accountUnfollowed, followMigrated, followerRemoved, followRequestRejected } from '../relationships/index.ts';
import { migrateMemberships } from './migrate-memberships.ts';
import { deleteAccountLists, removeFromListsAfterUnfollow } from './remove-from-list.ts';

export { addToList } from './add-to-list.ts';
export { createList, maxLists, type ListParams } from './create-list.ts';
export { deleteList } from './delete-list.ts';
export { exclusionsChanged, listChanged } from './events.ts';
export { listLists, requireList } from './find-lists.ts';
export { removeFromList } from './remove-from-list.ts';
export { routes } from './routes.ts';
export { List, RepliesPolicy } from './schema.ts';
export { updateList } from './update-list.ts';

export const subscriptions: Subscription[] = [
  inTransaction([followMigrated], { run: migrateMemberships }),
  inTransaction([accountUnfollowed, followerRemoved, followRequestRejected], { run: removeFromListsAfterUnfollow }),
  later('background', [accountDeleted], { name: 'list.delete_account_lists', run: deleteAccountLists }),
];
