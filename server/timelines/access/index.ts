// The settings of staff that limit who may view the public, hashtag and link timelines.
export { feedSettings, narrowFeed, originFilter, type FeedOrigin } from './feed-access.ts';
