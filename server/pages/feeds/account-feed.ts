import Negotiator from 'negotiator';
import { parseAccount, type CachedAccount } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import { html, type Html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { clampLimit } from '../../platform/http/pages.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { displayNameOf } from '../render/display-name.ts';
import { listProfilePosts, type ProfileTab } from '../public/public-posts.ts';
import { loadSharedTexts } from '../render/shared-texts.ts';
import { buildFeedItems } from './feed-items.ts';
import { feedResponse } from './feed-response.ts';

/** See limits.tsv, page size. */
export const feedLimits = { defaultLimit: 20, maxLimit: 200 };

/** Whether anonymous visitors, and so feed readers, may read anything. */
export const hasFeeds = ({ config }: App): boolean => !config.LIMITED_FEDERATION;

/** Whether a request prefers the feed over the page with the same URL. */
export const wantsFeed = (request: Pick<RequestContext, 'headers'>): boolean =>
  new Negotiator(request).mediaType(['text/html', 'application/rss+xml']) === 'application/rss+xml';

/** Renders the link by which browsers and readers find a feed. */
export const feedLink = (url: string, title: string): Html =>
  html`<link rel="alternate" type="application/rss+xml" title="${title}" href="${url}" />`;

/** Returns the feed of a tab of a local profile, whose `path` follows the URL of the profile. */
export async function accountFeed(
  app: App,
  request: RequestContext,
  body: CachedAccount,
  { tab, path, limit, vary = false }: { tab: ProfileTab; path: string; limit?: number | undefined; vary?: boolean },
): Promise<HttpResponse> {
  const account = parseAccount(body);
  const { statuses } = await listProfilePosts(app, body.id, {
    tab,
    maxId: undefined,
    limit: clampLimit(limit, feedLimits),
    excludeReblogs: true,
    excludeImported: true,
  });
  const t = await loadSharedTexts(app);
  const handle = `@${account.username}@${app.config.domain}`;
  const link = `${account.url}${path}`;
  const feed = {
    title: displayNameOf(account),
    description: t('pages.feedOfAccount', { handle }),
    link,
    self: `${link}.rss`,
    image: account.avatar,
    items: await buildFeedItems(app, t, statuses),
  };
  return feedResponse(request, feed, { isIndexable: account.indexable, vary });
}
