// Timelines: home feeds and how they are kept, public, hashtag and list timelines, how far one has read.
import { accountDeleted } from '../accounts/index.ts';
import { exclusionsChanged, listChanged } from '../lists/index.ts';
import { on, onBatch, withinBatch, type Schedule, type Subscription } from '../platform/jobs/events.ts';
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
  relationsForgotten,
} from '../relationships/index.ts';
import { statusDeleted, statusEdited, statusPosted, statusReblogged, statusUnreblogged } from '../statuses/index.ts';
import { tagFollowed, tagUnfollowed } from '../tags/index.ts';
import { alignBoth, alignFeed, alignOwn, alignWith, restoreFeed } from './align-feed.ts';
import { buildFeed, buildListFeed } from './build-feed.ts';
import { dropAll, dropBoth, dropChanged, dropOwn } from './drop-list-feeds.ts';
import { enterOwnFeed, fanOutJob, fanOutPosts, fanOutReblogs } from './fan-out.ts';
import { fanOutToListsJob } from './fan-out-to-lists.ts';
import { followEdits } from './follow-edits.ts';
import { fanOutByTagsJob } from './followed-tags.ts';
import { dropUnusedFeeds, trimFeeds } from './keep-feeds.ts';
import { dropFeed, removeFromFeeds } from './remove-from-feeds.ts';

export { feedLimits } from './feed-limits.ts';
export { fillPage, type FilledPage, type Stretch } from './fill-page.ts';
export { endOfTime } from './follow-graph.ts';
export { lastRead } from './markers.ts';
export { routes } from './routes.ts';
export { tagPage } from './tag.ts';

export const subscriptions: Subscription[] = [
  withinBatch(statusPosted, 'feeds-own-post', enterOwnFeed),
  withinBatch(statusReblogged, 'feeds-own-reblog', enterOwnFeed),
  onBatch(statusPosted, 'feeds-post', fanOutPosts, 'feeds'),
  onBatch(statusEdited, 'feeds-edit', followEdits, 'feeds'),
  onBatch(statusReblogged, 'feeds-reblog', fanOutReblogs, 'feeds'),
  on(statusDeleted, 'feeds-delete', removeFromFeeds, 'feeds'),
  on(statusUnreblogged, 'feeds-unreblog', removeFromFeeds, 'feeds'),
  on(accountFollowed, 'feeds-follow', alignWith, 'feeds'),
  on(followChanged, 'feeds-follow-changed', alignWith, 'feeds'),
  on(accountUnfollowed, 'feeds-unfollow', alignWith, 'feeds'),
  on(followerRemoved, 'feeds-follower-removed', alignWith, 'feeds'),
  on(accountBlocked, 'feeds-block', alignBoth, 'feeds'),
  on(accountUnblocked, 'feeds-unblock', restoreFeed, 'feeds'),
  on(accountMuted, 'feeds-mute', alignWith, 'feeds'),
  on(accountUnmuted, 'feeds-unmute', restoreFeed, 'feeds'),
  on(domainBlocked, 'feeds-domain-block', alignOwn, 'feeds'),
  on(domainUnblocked, 'feeds-domain-unblock', restoreFeed, 'feeds'),
  on(
    tagFollowed,
    'feeds-tag-follow',
    (app, { accountId, tagId }) => alignFeed(app, { accountId, tags: [tagId] }),
    'feeds',
  ),
  on(tagUnfollowed, 'feeds-tag-unfollow', alignOwn, 'feeds'),
  on(
    exclusionsChanged,
    'feeds-exclusions',
    (app, { accountId, memberIds }) => alignFeed(app, { accountId, authors: memberIds }),
    'feeds',
  ),
  on(accountDeleted, 'feeds-account-deleted', dropFeed, 'feeds'),
  withinBatch(listChanged, 'list-feeds-list', dropChanged),
  withinBatch(accountFollowed, 'list-feeds-follow', dropOwn),
  withinBatch(followChanged, 'list-feeds-follow-changed', dropOwn),
  withinBatch(accountUnfollowed, 'list-feeds-unfollow', dropOwn),
  withinBatch(followerRemoved, 'list-feeds-follower-removed', dropOwn),
  withinBatch(accountBlocked, 'list-feeds-block', dropBoth),
  withinBatch(accountUnblocked, 'list-feeds-unblock', dropBoth),
  withinBatch(accountMuted, 'list-feeds-mute', dropOwn),
  withinBatch(accountUnmuted, 'list-feeds-unmute', dropOwn),
  withinBatch(domainBlocked, 'list-feeds-domain-block', dropOwn),
  withinBatch(domainUnblocked, 'list-feeds-domain-unblock', dropOwn),
  withinBatch(relationsForgotten, 'list-feeds-forgotten', dropAll),
  buildFeed.subscription,
  buildListFeed.subscription,
  fanOutJob,
  fanOutByTagsJob,
  fanOutToListsJob,
];

export const schedules: Schedule[] = [trimFeeds, dropUnusedFeeds];
