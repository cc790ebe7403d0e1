// Timelines: home, list, public, hashtag and link timelines, the stored feeds of home and lists, and read markers.
import { afterCommit, beforeCommit, everyProcess, on, type Subscription } from '../platform/events/reactions.ts';
import type { Schedule } from '../platform/jobs/run-schedules.ts';
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
import { listFeedsOutdated, ownListStatusesPosted, statusFannedOut } from './events.ts';
import { fanOutEdits, fanOutJob, fanOutStatuses } from './fan-out/fan-out.ts';
import { fanOutToListsJob } from './fan-out/fan-out-to-lists.ts';
import { fanOutToTagFollowersJob } from './fan-out/fan-out-to-tags.ts';
import { insertIntoOwnFeed, insertIntoOwnLists, loadOwnListMembers } from './fan-out/own-feed.ts';
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

export const subscriptions: Subscription[] = [
  beforeCommit([statusCreated, statusReblogged], { runBatch: insertIntoOwnFeed, isConcurrent: true }),
  afterCommit([statusCreated, statusReblogged], { runBatch: loadOwnListMembers }),
  beforeCommit([ownListStatusesPosted], { runBatch: insertIntoOwnLists, isLast: true }),
  everyProcess([statusCreated, statusReblogged, statusTagged], {
    run: (app, posted) => pendingStatuses(app).add(posted),
  }),
  everyProcess([statusFannedOut], { run: (app, finished) => pendingStatuses(app).finish(finished) }),
  on([statusCreated, statusReblogged], { name: 'feed.fan_out_status', queue: 'feeds', runBatch: fanOutStatuses }),
  on([statusEdited], { name: 'feed.fan_out_edit', queue: 'feeds', runBatch: fanOutEdits }),
  on([statusDeleted, statusUnreblogged], { name: 'feed.remove_status', queue: 'feeds', run: removeFromFeeds }),
  on(
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
    { name: 'feed.reconcile_home', queue: 'feeds', run: reconcileHomeFeed },
  ),
  on([accountBlocked], { name: 'feed.reconcile_block', queue: 'feeds', run: reconcileBothHomeFeeds }),
  on([accountUnblocked, accountUnmuted, domainUnblocked], {
    name: 'feed.rebuild_home',
    queue: 'feeds',
    run: rebuildHomeFeed,
  }),
  on([accountDeleted], { name: 'feed.delete_account_feed', queue: 'feeds', run: deleteAccountFeed }),
  beforeCommit(
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
  beforeCommit([accountBlocked, accountUnblocked], { runBatch: outdateListFeedsOfBoth }),
  beforeCommit([listFeedsOutdated, relationshipsDeleted, listChanged], { runBatch: deleteListFeeds, isLast: true }),
  buildHomeFeed.subscription,
  buildListFeed.subscription,
  fanOutJob,
  fanOutToTagFollowersJob,
  fanOutToListsJob,
];

export const schedules: Schedule[] = [trimFeeds, cleanUpUnusedFeeds];
