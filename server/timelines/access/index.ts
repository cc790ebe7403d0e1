// Who may view local and remote posts in public timelines.
export { feedSettings, narrowFeed, originFilter, type FeedOrigin } from './feed-access.ts';
