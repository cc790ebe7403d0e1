// Timelines: home, list, public, hashtag and link timelines, the stored feeds of home and lists, and read markers.
import { publish, inTransaction, later } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { accountDeleted } from '../accounts/index.ts';
import { exclusionsChanged, listChanged } from '../lists/index.ts';
import {
  accountBlocked,
  accountFollowed,
  accountMuted,
  accountUnblocked,
  accountUnfollowed,
  accountUnmuted,
  domainBlocked,
  domainUnblocked,
  followChanged,
  followerRemoved,
  relationshipsDeleted,
} from '../relationships/index.ts';
import {
  statusCreated,
  statusDeleted,
  statusEdited,
  statusReblogged,
  statusTagged,
  statusUnreblogged,
} from '../statuses/index.ts';
import { tagFollowed, tagUnfollowed } from '../hashtags/index.ts';
import { buildHomeFeed, buildListFeed } from './feeds/build-feed.ts';
import { deleteListFeeds, outdateListFeeds, outdateListFeedsOfBoth } from './feeds/delete-list-feeds.ts';
import { listFeedsOutdated, ownListStatusesPosted, statusFannedOut, statusRemoved } from './events.ts';
import { fanOutEdits, fanOutJob, fanOutStatuses } from './fan-out/fan-out.ts';
import { fanOutToListsJob } from './fan-out/fan-out-to-lists.ts';
import { fanOutToTagFollowersJob } from './fan-out/fan-out-to-tags.ts';
import { insertIntoOwnFeed, insertIntoOwnLists, loadOwnListMembers } from './fan-out/own-feed.ts';
import { recordFanOut, recordRemoval } from './feeds/home-changes.ts';
import { pendingStatuses } from './feeds/pending-statuses.ts';
import { rebuildHomeFeed, reconcileBothHomeFeeds, reconcileHomeFeed } from './feeds/reconcile-feed.ts';
import { cleanUpUnusedFeeds, trimFeeds } from './feeds/trim-feeds.ts';
import { deleteAccountFeed, removeFromFeeds } from './feeds/remove-from-feeds.ts';

export { feedLimits } from './feeds/feed-limits.ts';
export { PageFiller, type Cursor, type FilledPage } from './read/page-filler.ts';
export { touchStreamedFeed } from './feeds/build-feed.ts';
export { deleteFeedEntries } from './feeds/remove-from-feeds.ts';
export { countStoredFeeds, rebuildStoredFeeds, type FeedOwner } from './feeds/rebuild-feeds.ts';
export type { FeedRef } from './feeds/feed-tables.ts';
export { findDeletionReceivers } from './fan-out/find-deletion-receivers.ts';
export { findHomeReceivers, findListReceivers } from './fan-out/find-receivers.ts';
export { isInPublicTimelines, isInTagTimelines } from './read/public-timeline.ts';
export { findLastReadId } from './markers.ts';
export { routes } from './routes.ts';
export { caches } from './caches.ts';

export const subscriptions: Subscription[] = [
  inTransaction([statusCreated, statusReblogged], { runBatch: insertIntoOwnFeed, locks: 'nothing' }),
  publish([statusCreated, statusReblogged], { onlyHere: true, runBatch: loadOwnListMembers }),
  inTransaction([ownListStatusesPosted], { runBatch: insertIntoOwnLists, locks: 'list_feed_states' }),
  publish([statusCreated, statusReblogged, statusTagged], {
    run: (app, posted) => pendingStatuses(app).add(posted),
  }),
  publish([statusFannedOut], { run: recordFanOut }),
  publish([statusRemoved], { run: recordRemoval }),
  later('feeds', [statusCreated, statusReblogged], { name: 'feed.fan_out_status', runBatch: fanOutStatuses }),
  later('feeds', [statusEdited], { name: 'feed.fan_out_edit', runBatch: fanOutEdits }),
  later('feeds', [statusDeleted, statusUnreblogged], { name: 'feed.remove_status', run: removeFromFeeds }),
  later(
    'feeds',
    [
      accountFollowed,
      followChanged,
      accountUnfollowed,
      followerRemoved,
      accountMuted,
      domainBlocked,
      tagFollowed,
      tagUnfollowed,
      exclusionsChanged,
    ],
    { name: 'feed.reconcile_home', run: reconcileHomeFeed },
  ),
  later('feeds', [accountBlocked], { name: 'feed.reconcile_block', run: reconcileBothHomeFeeds }),
  later('feeds', [accountUnblocked, accountUnmuted, domainUnblocked], {
    name: 'feed.rebuild_home',
    run: rebuildHomeFeed,
  }),
  later('feeds', [accountDeleted], { name: 'feed.delete_account_feed', run: deleteAccountFeed }),
  inTransaction(
    [
      accountFollowed,
      followChanged,
      accountUnfollowed,
      followerRemoved,
      accountMuted,
      accountUnmuted,
      domainBlocked,
      domainUnblocked,
    ],
    { runBatch: outdateListFeeds },
  ),
  inTransaction([accountBlocked, accountUnblocked], { runBatch: outdateListFeedsOfBoth }),
  inTransaction([listFeedsOutdated, relationshipsDeleted, listChanged], {
    runBatch: deleteListFeeds,
    locks: 'list_feed_states',
  }),
  buildHomeFeed.subscription,
  buildListFeed.subscription,
  fanOutJob,
  fanOutToTagFollowersJob,
  fanOutToListsJob,
];

export const schedules: Schedule[] = [trimFeeds, cleanUpUnusedFeeds];
