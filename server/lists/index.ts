// Lists: accounts that someone follows, put together to be read by themselves.
import { beforeCommit, on, type Subscription } from '../platform/events/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
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
  beforeCommit([followCarriedOver], { run: carryMemberships }),
  beforeCommit([accountUnfollowed], { run: leaveLists }),
  beforeCommit([followerRemoved], { run: leaveLists }),
  beforeCommit([followRequestRejected], { run: leaveLists }),
  on([accountDeleted], { name: 'lists-account-deleted', queue: 'background', run: forgetAccount }),
];
