// Notifications: what people are told of mentions, posts they wait for, reactions and follows.
import { on, onBatch, type Schedule, type Subscription } from '../platform/jobs/events.ts';
import { collectionCreated, collectionUpdated, itemAccepted, itemRemoved } from '../collections/index.ts';
import { pollEnded } from '../polls/index.ts';
import { quoteChanged } from '../quotes/index.ts';
import {
  accountBlocked,
  accountFollowed,
  accountMuted,
  accountUnfollowed,
  followerRemoved,
  followRequested,
  followRequestRejected,
} from '../relationships/index.ts';
import {
  mentionsAdded,
  statusDeleted,
  statusEdited,
  statusFavourited,
  statusPosted,
  statusReblogged,
  statusUnfavourited,
  statusUnreblogged,
} from '../statuses/index.ts';
import { forgetAccount } from './forget-account.ts';
import { forgetOld } from './forget-old.ts';
import {
  forgetEachOther,
  forgetFollow,
  forgetMuted,
  forgetRequest,
  notifyOfFollow,
  notifyOfRequest,
} from './notify-of-follows.ts';
import {
  forgetFavourites,
  forgetReblog,
  forgetStatus,
  notifyOfFavourites,
  notifyOfReblog,
  notifyOfStatuses,
} from './notify-of-statuses.ts';
import { forgetCollection, notifyOfAddition, notifyOfCollectionUpdate } from './notify-of-collections.ts';
import { notifyOfQuote, notifyQuoters } from './notify-of-quotes.ts';
import { notifyOfEdit, notifyOfMentions, notifyOfPoll } from './notify-of-changes.ts';

export { notificationCreated } from './events.ts';
export { notify, type News } from './notify.ts';
export { routes } from './routes.ts';

export const subscriptions: Subscription[] = [
  onBatch(statusPosted, 'notify-of-status', notifyOfStatuses),
  onBatch(statusFavourited, 'notify-of-favourite', notifyOfFavourites),
  on(statusEdited, 'notify-of-edit', notifyOfEdit),
  on(statusEdited, 'notify-quoters-of-edit', notifyQuoters),
  on(quoteChanged, 'notify-of-quote', notifyOfQuote),
  on(mentionsAdded, 'notify-of-added-mentions', notifyOfMentions),
  on(pollEnded, 'notify-of-poll', notifyOfPoll),
  on(statusReblogged, 'notify-of-reblog', notifyOfReblog),
  on(accountFollowed, 'notify-of-follow', notifyOfFollow),
  on(followRequested, 'notify-of-follow-request', notifyOfRequest),
  on(collectionCreated, 'notify-of-collection', notifyOfAddition),
  on(itemAccepted, 'notify-of-collection-item', notifyOfAddition),
  on(collectionUpdated, 'notify-of-collection-update', notifyOfCollectionUpdate),
  on(itemRemoved, 'forget-collection-item', forgetCollection),
  onBatch(statusUnfavourited, 'forget-favourite', forgetFavourites),
  on(statusUnreblogged, 'forget-reblog', forgetReblog),
  on(statusDeleted, 'forget-status', forgetStatus),
  on(followRequestRejected, 'forget-rejected-request', forgetRequest),
  on(accountUnfollowed, 'forget-follow', forgetFollow),
  on(followerRemoved, 'forget-removed-follower', forgetFollow),
  on(accountBlocked, 'forget-blocked', forgetEachOther),
  on(accountMuted, 'forget-muted', forgetMuted),
  forgetAccount,
];

export const schedules: readonly Schedule[] = [forgetOld];
