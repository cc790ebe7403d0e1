// Notifications about mentions, statuses, reactions, follows, polls, quotes, collections and decisions of staff.
import { later } from '../platform/write/reactions.ts';
import type { AnyCache, Subscription } from '../platform/write/subscriptions.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import {
  collectionCreated,
  collectionUpdated,
  collectionItemAccepted,
  collectionItemRemoved,
} from '../collections/index.ts';
import { groupPostWaiting } from '../groups/index.ts';
import { accountWarned } from '../moderation/index.ts';
import { pollEnded } from '../polls/index.ts';
import { reportCreated } from '../reports/index.ts';
import { quoteChanged } from '../quotes/index.ts';
import {
  accountBlocked,
  accountFollowed,
  accountMuted,
  accountUnfollowed,
  followerRemoved,
  followRequested,
  followRequestRejected,
  relationshipsSevered,
} from '../relationships/index.ts';
import {
  mentionsAdded,
  statusDeleted,
  statusEdited,
  statusFavourited,
  statusCreated,
  statusReblogged,
  statusUnfavourited,
  statusUnreblogged,
} from '../statuses/index.ts';
import { deletedIds, importedStatusesDeleted } from '../statuses/imported/index.ts';
import { signUpCompleted } from '../users/index.ts';
import { deleteAccountNotifications } from './delete-account-notifications.ts';
import { cleanUpNotifications } from './clean-up-notifications.ts';
import { newestGroups } from './grouped/list-groups.ts';
import { newestNotifications } from './list-notifications.ts';
import {
  deleteNotificationsBetween,
  deleteFollowNotifications,
  deleteMutedNotifications,
  deleteFollowRequestNotifications,
  notifyOfFollow,
  notifyOfFollowRequest,
} from './notify-of-follows.ts';
import {
  deleteFavouriteNotifications,
  deleteReblogNotifications,
  deleteStatusNotifications,
  isLocalStatus,
  isReblogOfLocal,
  mayNotify,
  notifyOfFavourites,
  notifyOfReblog,
  notifyOfStatuses,
  notifyOfWaitingPost,
} from './notify-of-statuses.ts';
import {
  deleteCollectionNotifications,
  notifyOfCollectionAddition,
  notifyOfCollectionUpdate,
} from './notify-of-collections.ts';
import { notifyOfQuote, notifyOfQuotedEdit } from './notify-of-quotes.ts';
import { notifyOfReport, notifyOfSeverances, notifyOfSignUp, notifyOfWarning } from './notify-of-staff.ts';
import { mergeRequest } from './requests/answer-requests.ts';
import { notifyOfEdit, notifyOfMentions, notifyOfPoll } from './notify-of-changes.ts';

export { notificationCreated, requestsMerged } from './events.ts';
export { countOldNotifications, deleteOldNotifications, estimateOldNotifications } from './clean-up-notifications.ts';
export { countUnread, filterVisibleNotifications, findNotification } from './list-notifications.ts';
export { presentNotifications } from './present-notifications.ts';
export { notify, type NewNotification } from './notify.ts';
export { mayBeNotified } from './notify-of-staff.ts';
export { routes } from './routes.ts';

export const subscriptions: Subscription[] = [
  later('default', [statusCreated], {
    name: 'notification.create_for_status',
    when: mayNotify,
    runBatch: notifyOfStatuses,
  }),
  later('default', [statusFavourited], {
    name: 'notification.create_for_favourite',
    when: isLocalStatus,
    runBatch: notifyOfFavourites,
  }),
  later('default', [groupPostWaiting], { name: 'notification.create_for_waiting_post', run: notifyOfWaitingPost }),
  later('default', [statusEdited], { name: 'notification.create_for_edit', run: notifyOfEdit }),
  later('default', [statusEdited], { name: 'notification.create_for_quoted_edit', run: notifyOfQuotedEdit }),
  later('default', [quoteChanged], { name: 'notification.create_for_quote', run: notifyOfQuote }),
  later('default', [mentionsAdded], { name: 'notification.create_for_added_mentions', run: notifyOfMentions }),
  later('default', [pollEnded], { name: 'notification.create_for_poll', run: notifyOfPoll }),
  later('default', [statusReblogged], {
    name: 'notification.create_for_reblog',
    when: isReblogOfLocal,
    run: notifyOfReblog,
  }),
  later('default', [accountFollowed], { name: 'notification.create_for_follow', run: notifyOfFollow }),
  later('default', [followRequested], { name: 'notification.create_for_follow_request', run: notifyOfFollowRequest }),
  later('default', [collectionCreated, collectionItemAccepted], {
    name: 'notification.create_for_collection_item',
    run: notifyOfCollectionAddition,
  }),
  later('default', [collectionUpdated], {
    name: 'notification.create_for_collection_update',
    run: notifyOfCollectionUpdate,
  }),
  later('default', [collectionItemRemoved], {
    name: 'notification.delete_for_collection_item',
    run: deleteCollectionNotifications,
  }),
  later('default', [statusUnfavourited], {
    name: 'notification.delete_for_unfavourite',
    when: isLocalStatus,
    runBatch: deleteFavouriteNotifications,
  }),
  later('default', [statusUnreblogged], { name: 'notification.delete_for_unreblog', run: deleteReblogNotifications }),
  later('default', [statusDeleted, importedStatusesDeleted], {
    name: 'notification.delete_for_status',
    run: (app, deleted) => deleteStatusNotifications(app, deletedIds(deleted)),
  }),
  later('default', [followRequestRejected], {
    name: 'notification.delete_for_rejected_request',
    run: deleteFollowRequestNotifications,
  }),
  later('default', [accountUnfollowed, followerRemoved], {
    name: 'notification.delete_for_unfollow',
    run: deleteFollowNotifications,
  }),
  later('default', [accountBlocked], { name: 'notification.delete_for_block', run: deleteNotificationsBetween }),
  later('default', [accountMuted], { name: 'notification.delete_for_mute', run: deleteMutedNotifications }),
  later('default', [signUpCompleted], { name: 'notification.create_for_sign_up', run: notifyOfSignUp }),
  later('default', [reportCreated], { name: 'notification.create_for_report', run: notifyOfReport }),
  later('default', [relationshipsSevered], { name: 'notification.create_for_severance', runBatch: notifyOfSeverances }),
  later('default', [accountWarned], { name: 'notification.create_for_warning', run: notifyOfWarning }),
  deleteAccountNotifications,
  mergeRequest.subscription,
];

export const caches: readonly AnyCache[] = [newestNotifications, newestGroups];

export const schedules: readonly Schedule[] = [cleanUpNotifications];
