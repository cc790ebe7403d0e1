import type { App } from '../../platform/app.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { clampLimit } from '../../platform/http/pages.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { narrowFeed, type FeedOrigin } from '../../timelines/access/index.ts';
import { listTagPosts } from '../public/public-posts.ts';
import { loadSharedTexts } from '../render/shared-texts.ts';
import { feedLimits, hasFeeds } from './account-feed.ts';
import { buildFeedItems } from './feed-items.ts';
import { feedResponse } from './feed-response.ts';

/** Returns the wanted posts of a hashtag that its feed has: those that anonymous visitors may view. Undefined: no feed. */
export const tagFeedOrigin = async (app: App, wanted: FeedOrigin = 'all'): Promise<FeedOrigin | undefined> =>
  hasFeeds(app) ? narrowFeed(app, undefined, 'topic', wanted) : undefined;

/** Returns the feed of a hashtag. */
export async function tagFeed(
  app: App,
  request: RequestContext,
  name: string,
  { origin, limit, vary = false }: { origin: FeedOrigin; limit?: number | undefined; vary?: boolean },
): Promise<HttpResponse> {
  const { statuses } = await listTagPosts(app, name, {
    before: undefined,
    limit: clampLimit(limit, feedLimits),
    origin,
  });
  const t = await loadSharedTexts(app);
  const link = `${app.config.baseUrl}/tags/${encodeURIComponent(name)}`;
  const feed = {
    title: `#${name}`,
    description: t('pages.feedOfTag', { tag: name }),
    link,
    self: `${link}.rss`,
    image: undefined,
    items: await buildFeedItems(app, t, statuses),
  };
  return feedResponse(request, feed, { isIndexable: false, vary });
}
