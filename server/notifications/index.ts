// Notifications: what people are told of mentions, posts they wait for, reactions and follows.
import { on, type Subscription } from '../platform/events/reactions.ts';
import type { Schedule } from '../platform/jobs/schedule.ts';
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
  on([statusPosted], { name: 'notify-of-status', runBatch: notifyOfStatuses }),
  on([statusFavourited], { name: 'notify-of-favourite', runBatch: notifyOfFavourites }),
  on([statusEdited], { name: 'notify-of-edit', run: notifyOfEdit }),
  on([statusEdited], { name: 'notify-quoters-of-edit', run: notifyQuoters }),
  on([quoteChanged], { name: 'notify-of-quote', run: notifyOfQuote }),
  on([mentionsAdded], { name: 'notify-of-added-mentions', run: notifyOfMentions }),
  on([pollEnded], { name: 'notify-of-poll', run: notifyOfPoll }),
  on([statusReblogged], { name: 'notify-of-reblog', run: notifyOfReblog }),
  on([accountFollowed], { name: 'notify-of-follow', run: notifyOfFollow }),
  on([followRequested], { name: 'notify-of-follow-request', run: notifyOfRequest }),
  on([collectionCreated], { name: 'notify-of-collection', run: notifyOfAddition }),
  on([itemAccepted], { name: 'notify-of-collection-item', run: notifyOfAddition }),
  on([collectionUpdated], { name: 'notify-of-collection-update', run: notifyOfCollectionUpdate }),
  on([itemRemoved], { name: 'forget-collection-item', run: forgetCollection }),
  on([statusUnfavourited], { name: 'forget-favourite', runBatch: forgetFavourites }),
  on([statusUnreblogged], { name: 'forget-reblog', run: forgetReblog }),
  on([statusDeleted], { name: 'forget-status', run: forgetStatus }),
  on([followRequestRejected], { name: 'forget-rejected-request', run: forgetRequest }),
  on([accountUnfollowed], { name: 'forget-follow', run: forgetFollow }),
  on([followerRemoved], { name: 'forget-removed-follower', run: forgetFollow }),
  on([accountBlocked], { name: 'forget-blocked', run: forgetEachOther }),
  on([accountMuted], { name: 'forget-muted', run: forgetMuted }),
  forgetAccount,
];

export const schedules: readonly Schedule[] = [forgetOld];
