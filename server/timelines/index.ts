// Timelines: home feeds and how they are kept, public, hashtag and list timelines, how far one has read.
import { beforeCommit, on, type Subscription } from '../platform/events/reactions.ts';
import type { Schedule } from '../platform/jobs/schedule.ts';
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
  beforeCommit([statusPosted], { runBatch: enterOwnFeed }),
  beforeCommit([statusReblogged], { runBatch: enterOwnFeed }),
  on([statusPosted], { name: 'feeds-post', queue: 'feeds', runBatch: fanOutPosts }),
  on([statusEdited], { name: 'feeds-edit', queue: 'feeds', runBatch: followEdits }),
  on([statusReblogged], { name: 'feeds-reblog', queue: 'feeds', runBatch: fanOutReblogs }),
  on([statusDeleted], { name: 'feeds-delete', queue: 'feeds', run: removeFromFeeds }),
  on([statusUnreblogged], { name: 'feeds-unreblog', queue: 'feeds', run: removeFromFeeds }),
  on([accountFollowed], { name: 'feeds-follow', queue: 'feeds', run: alignWith }),
  on([followChanged], { name: 'feeds-follow-changed', queue: 'feeds', run: alignWith }),
  on([accountUnfollowed], { name: 'feeds-unfollow', queue: 'feeds', run: alignWith }),
  on([followerRemoved], { name: 'feeds-follower-removed', queue: 'feeds', run: alignWith }),
  on([accountBlocked], { name: 'feeds-block', queue: 'feeds', run: alignBoth }),
  on([accountUnblocked], { name: 'feeds-unblock', queue: 'feeds', run: restoreFeed }),
  on([accountMuted], { name: 'feeds-mute', queue: 'feeds', run: alignWith }),
  on([accountUnmuted], { name: 'feeds-unmute', queue: 'feeds', run: restoreFeed }),
  on([domainBlocked], { name: 'feeds-domain-block', queue: 'feeds', run: alignOwn }),
  on([domainUnblocked], { name: 'feeds-domain-unblock', queue: 'feeds', run: restoreFeed }),
  on([tagFollowed], {
    name: 'feeds-tag-follow',
    queue: 'feeds',
    run: (app, { accountId, tagId }) => alignFeed(app, { accountId, tags: [tagId] }),
  }),
  on([tagUnfollowed], { name: 'feeds-tag-unfollow', queue: 'feeds', run: alignOwn }),
  on([exclusionsChanged], {
    name: 'feeds-exclusions',
    queue: 'feeds',
    run: (app, { accountId, memberIds }) => alignFeed(app, { accountId, authors: memberIds }),
  }),
  on([accountDeleted], { name: 'feeds-account-deleted', queue: 'feeds', run: dropFeed }),
  beforeCommit([listChanged], { runBatch: dropChanged }),
  beforeCommit([accountFollowed], { runBatch: dropOwn }),
  beforeCommit([followChanged], { runBatch: dropOwn }),
  beforeCommit([accountUnfollowed], { runBatch: dropOwn }),
  beforeCommit([followerRemoved], { runBatch: dropOwn }),
  beforeCommit([accountBlocked], { runBatch: dropBoth }),
  beforeCommit([accountUnblocked], { runBatch: dropBoth }),
  beforeCommit([accountMuted], { runBatch: dropOwn }),
  beforeCommit([accountUnmuted], { runBatch: dropOwn }),
  beforeCommit([domainBlocked], { runBatch: dropOwn }),
  beforeCommit([domainUnblocked], { runBatch: dropOwn }),
  beforeCommit([relationsForgotten], { runBatch: dropAll }),
  buildFeed.subscription,
  buildListFeed.subscription,
  fanOutJob,
  fanOutByTagsJob,
  fanOutToListsJob,
];

export const schedules: Schedule[] = [trimFeeds, dropUnusedFeeds];
