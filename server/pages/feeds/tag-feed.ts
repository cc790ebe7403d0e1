import type { App } from '../../platform/app.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { clampLimit } from '../../platform/http/pages.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { listTagPosts } from '../public/public-posts.ts';
import { loadSharedTexts } from '../render/shared-texts.ts';
import { feedLimits, hasFeeds } from './account-feed.ts';
import { buildFeedItems } from './feed-items.ts';
import { feedResponse } from './feed-response.ts';

/** Whether hashtags have feeds: anonymous visitors, and so feed readers, may see public timelines. */
export const hasTagFeeds = (app: App): boolean => hasFeeds(app) && app.config.PUBLIC_PREVIEW;

/** Returns the feed of a hashtag, of local posts alone or of all known ones. */
export async function tagFeed(
  app: App,
  request: RequestContext,
  name: string,
  { local = false, limit, vary = false }: { local?: boolean; limit?: number | undefined; vary?: boolean },
): Promise<HttpResponse> {
  const { statuses } = await listTagPosts(app, name, {
    before: undefined,
    limit: clampLimit(limit, feedLimits),
    local,
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
