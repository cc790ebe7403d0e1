// Timelines: home feeds and how they are kept, public, hashtag and list timelines, how far one has read.
import { beforeCommit, on, type Subscription } from '../platform/events/reactions.ts';
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
import { statusDeleted, statusEdited, statusCreated, statusReblogged, statusUnreblogged } from '../statuses/index.ts';
import { tagFollowed, tagUnfollowed } from '../tags/index.ts';
import {
  reconcileBothFeeds,
  reconcileFeed,
  reconcileOwnFeed,
  reconcileFeedWith,
  rebuildHomeFeed,
} from './reconcile-feed.ts';
import { buildHomeFeed, buildListFeed } from './build-feed.ts';
import {
  deleteListFeedsOfAll,
  deleteListFeedsOfBoth,
  deleteChangedListFeeds,
  deleteListFeedsOfAccount,
  deleteOutdatedListFeeds,
} from './delete-list-feeds.ts';
import { insertIntoOwnFeed, insertIntoOwnLists, fanOutJob, fanOutStatuses, fanOutReblogs } from './fan-out.ts';
import { fanOutToListsJob } from './fan-out-to-lists.ts';
import { fanOutEdits } from './fan-out-edits.ts';
import { fanOutToTagFollowersJob } from './followed-tags.ts';
import { cleanUpUnusedFeeds, trimFeeds } from './trim-feeds.ts';
import { deleteAccountFeed, removeFromFeeds } from './remove-from-feeds.ts';

export { feedLimits } from './feed-limits.ts';
export { PageFiller, type FilledPage } from './page-filler.ts';
export { findLastReadId } from './markers.ts';
export { routes } from './routes.ts';
export { loadTagTimeline } from './tag-timeline.ts';

export const subscriptions: Subscription[] = [
  beforeCommit([statusCreated], { runBatch: insertIntoOwnFeed }),
  beforeCommit([statusReblogged], { runBatch: insertIntoOwnFeed }),
  on([statusCreated], { name: 'feed.fan_out_status', queue: 'feeds', runBatch: fanOutStatuses }),
  on([statusEdited], { name: 'feed.fan_out_edit', queue: 'feeds', runBatch: fanOutEdits }),
  on([statusReblogged], { name: 'feed.fan_out_reblog', queue: 'feeds', runBatch: fanOutReblogs }),
  on([statusDeleted], { name: 'feed.remove_status', queue: 'feeds', run: removeFromFeeds }),
  on([statusUnreblogged], { name: 'feed.remove_reblog', queue: 'feeds', run: removeFromFeeds }),
  on([accountFollowed], { name: 'feed.reconcile_follow', queue: 'feeds', run: reconcileFeedWith }),
  on([followChanged], { name: 'feed.reconcile_follow_change', queue: 'feeds', run: reconcileFeedWith }),
  on([accountUnfollowed], { name: 'feed.reconcile_unfollow', queue: 'feeds', run: reconcileFeedWith }),
  on([followerRemoved], { name: 'feed.reconcile_removed_follower', queue: 'feeds', run: reconcileFeedWith }),
  on([accountBlocked], { name: 'feed.reconcile_block', queue: 'feeds', run: reconcileBothFeeds }),
  on([accountUnblocked], { name: 'feed.rebuild_after_unblock', queue: 'feeds', run: rebuildHomeFeed }),
  on([accountMuted], { name: 'feed.reconcile_mute', queue: 'feeds', run: reconcileFeedWith }),
  on([accountUnmuted], { name: 'feed.rebuild_after_unmute', queue: 'feeds', run: rebuildHomeFeed }),
  on([domainBlocked], { name: 'feed.reconcile_domain_block', queue: 'feeds', run: reconcileOwnFeed }),
  on([domainUnblocked], { name: 'feed.rebuild_after_domain_unblock', queue: 'feeds', run: rebuildHomeFeed }),
  on([tagFollowed], {
    name: 'feed.reconcile_tag_follow',
    queue: 'feeds',
    run: (app, { accountId, tagId }) => reconcileFeed(app, { accountId, tags: [tagId] }),
  }),
  on([tagUnfollowed], { name: 'feed.reconcile_tag_unfollow', queue: 'feeds', run: reconcileOwnFeed }),
  on([exclusionsChanged], {
    name: 'feed.reconcile_exclusions',
    queue: 'feeds',
    run: (app, { accountId, memberIds }) => reconcileFeed(app, { accountId, authors: memberIds }),
  }),
  on([accountDeleted], { name: 'feed.delete_account_feed', queue: 'feeds', run: deleteAccountFeed }),
  beforeCommit([listChanged], { runBatch: deleteChangedListFeeds }),
  beforeCommit([accountFollowed], { runBatch: deleteListFeedsOfAccount }),
  beforeCommit([followChanged], { runBatch: deleteListFeedsOfAccount }),
  beforeCommit([accountUnfollowed], { runBatch: deleteListFeedsOfAccount }),
  beforeCommit([followerRemoved], { runBatch: deleteListFeedsOfAccount }),
  beforeCommit([accountBlocked], { runBatch: deleteListFeedsOfBoth }),
  beforeCommit([accountUnblocked], { runBatch: deleteListFeedsOfBoth }),
  beforeCommit([accountMuted], { runBatch: deleteListFeedsOfAccount }),
  beforeCommit([accountUnmuted], { runBatch: deleteListFeedsOfAccount }),
  beforeCommit([domainBlocked], { runBatch: deleteListFeedsOfAccount }),
  beforeCommit([domainUnblocked], { runBatch: deleteListFeedsOfAccount }),
  beforeCommit([relationshipsDeleted], { runBatch: deleteListFeedsOfAll }),
  deleteOutdatedListFeeds,
  insertIntoOwnLists,
  buildHomeFeed.subscription,
  buildListFeed.subscription,
  fanOutJob,
  fanOutToTagFollowersJob,
  fanOutToListsJob,
];

export const schedules: Schedule[] = [trimFeeds, cleanUpUnusedFeeds];
