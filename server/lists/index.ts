// Lists: accounts that someone follows, put together to be read by themselves.
import { accountDeleted } from '../accounts/index.ts';
import { on, within, type Subscription } from '../platform/jobs/events.ts';
import {
  accountUnfollowed,
  followCarriedOver,
  followerRemoved,
  followRequestRejected,
} from '../relationships/index.ts';
import { carryMemberships } from './carry-memberships.ts';
import { forgetAccount, leaveLists } from './remove-from-list.ts';

export { addToList } from './add-to-list.ts';
export { createList, mostLists, type NewList } from './create-list.ts';
export { deleteList } from './delete-list.ts';
export { exclusionsChanged, listChanged } from './events.ts';
export { listLists, requireList } from './find-lists.ts';
export { removeFromList } from './remove-from-list.ts';
export { routes } from './routes.ts';
export { List, RepliesPolicy } from './schema.ts';
export { updateList } from './update-list.ts';

export const subscriptions: Subscription[] = [
  within(followCarriedOver, 'lists-follow-carried-over', carryMemberships),
  within(accountUnfollowed, 'lists-unfollow', leaveLists),
  within(followerRemoved, 'lists-follower-removed', leaveLists),
  within(followRequestRejected, 'lists-request-rejected', leaveLists),
  on(accountDeleted, 'lists-account-deleted', forgetAccount, 'background'),
];
