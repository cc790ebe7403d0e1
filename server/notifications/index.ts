// Notifications about mentions, statuses, reactions, follows, polls, quotes, collections and decisions of staff.
import { on, type Subscription } from '../platform/events/reactions.ts';
import type { Schedule } from '../platform/jobs/run-schedules.ts';
import {
  collectionCreated,
  collectionUpdated,
  collectionItemAccepted,
  collectionItemRemoved,
} from '../collections/index.ts';
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
import { signUpCompleted } from '../users/index.ts';
import { deleteAccountNotifications } from './delete-account-notifications.ts';
import { cleanUpNotifications } from './clean-up-notifications.ts';
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
  mayNotify,
  notifyOfFavourites,
  notifyOfReblog,
  notifyOfStatuses,
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
export { countUnread, filterVisibleNotifications, findNotification } from './list-notifications.ts';
export { presentNotifications } from './present-notifications.ts';
export { notify, type NewNotification } from './notify.ts';
export { staffPermissionOf } from './notify-of-staff.ts';
export { routes } from './routes.ts';

export const subscriptions: Subscription[] = [
  on([statusCreated], { name: 'notification.create_for_status', when: mayNotify, runBatch: notifyOfStatuses }),
  on([statusFavourited], {
    name: 'notification.create_for_favourite',
    when: isLocalStatus,
    runBatch: notifyOfFavourites,
  }),
  on([statusEdited], { name: 'notification.create_for_edit', run: notifyOfEdit }),
  on([statusEdited], { name: 'notification.create_for_quoted_edit', run: notifyOfQuotedEdit }),
  on([quoteChanged], { name: 'notification.create_for_quote', run: notifyOfQuote }),
  on([mentionsAdded], { name: 'notification.create_for_added_mentions', run: notifyOfMentions }),
  on([pollEnded], { name: 'notification.create_for_poll', run: notifyOfPoll }),
  on([statusReblogged], { name: 'notification.create_for_reblog', run: notifyOfReblog }),
  on([accountFollowed], { name: 'notification.create_for_follow', run: notifyOfFollow }),
  on([followRequested], { name: 'notification.create_for_follow_request', run: notifyOfFollowRequest }),
  on([collectionCreated, collectionItemAccepted], {
    name: 'notification.create_for_collection_item',
    run: notifyOfCollectionAddition,
  }),
  on([collectionUpdated], { name: 'notification.create_for_collection_update', run: notifyOfCollectionUpdate }),
  on([collectionItemRemoved], { name: 'notification.delete_for_collection_item', run: deleteCollectionNotifications }),
  on([statusUnfavourited], {
    name: 'notification.delete_for_unfavourite',
    when: isLocalStatus,
    runBatch: deleteFavouriteNotifications,
  }),
  on([statusUnreblogged], { name: 'notification.delete_for_unreblog', run: deleteReblogNotifications }),
  on([statusDeleted], { name: 'notification.delete_for_status', run: deleteStatusNotifications }),
  on([followRequestRejected], {
    name: 'notification.delete_for_rejected_request',
    run: deleteFollowRequestNotifications,
  }),
  on([accountUnfollowed, followerRemoved], {
    name: 'notification.delete_for_unfollow',
    run: deleteFollowNotifications,
  }),
  on([accountBlocked], { name: 'notification.delete_for_block', run: deleteNotificationsBetween }),
  on([accountMuted], { name: 'notification.delete_for_mute', run: deleteMutedNotifications }),
  on([signUpCompleted], { name: 'notification.create_for_sign_up', run: notifyOfSignUp }),
  on([reportCreated], { name: 'notification.create_for_report', run: notifyOfReport }),
  on([relationshipsSevered], { name: 'notification.create_for_severance', runBatch: notifyOfSeverances }),
  on([accountWarned], { name: 'notification.create_for_warning', run: notifyOfWarning }),
  deleteAccountNotifications,
  mergeRequest.subscription,
];

export const schedules: readonly Schedule[] = [cleanUpNotifications];
