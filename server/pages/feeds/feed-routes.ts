import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, type RequestContext, type Route } from '../../platform/http/routes.ts';
import { isTagName } from '../../text/index.ts';
import { loadProfile } from '../public/profile-routes.ts';
import type { ProfileTab } from '../public/public-posts.ts';
import { accountFeed, hasFeeds } from './account-feed.ts';
import { tagFeed, tagFeedOrigin } from './tag-feed.ts';

const routeOptions = { access: 'page', readsReplica: 'always', undocumented: true, response: Type.Any() } as const;
const username = Type.String();
const limitInput = { limit: Type.Optional(Type.Integer()) };

/** RSS feeds of profiles and hashtags. They are the same for everyone: cookies are ignored. */
export const feedRoutes: readonly Route[] = [
  tabFeedRoute('/@:username.rss', { tab: 'posts', path: '' }, 'Get the RSS feed of a profile'),
  tabFeedRoute(
    '/@:username/with_replies.rss',
    { tab: 'with_replies', path: '/with_replies' },
    'Get the RSS feed of a profile, with replies',
  ),
  tabFeedRoute('/@:username/media.rss', { tab: 'media', path: '/media' }, 'Get the RSS feed of posts with attachments'),

  get('/@:username/tagged/:tag.rss', {
    summary: 'Get the RSS feed of the posts of a profile with a hashtag',
    ...routeOptions,
    params: Type.Object({ username, tag: Type.String() }),
    input: Type.Object(limitInput),
    handle: ({ app, request, params: { username: name, tag }, input }) =>
      profileFeed(app, request, name, {
        tab: { tagged: tag },
        path: `/tagged/${encodeURIComponent(tag)}`,
        limit: input.limit,
      }),
  }),

  get('/tags/:name.rss', {
    summary: 'Get the RSS feed of a hashtag',
    ...routeOptions,
    params: Type.Object({ name: Type.String() }),
    input: Type.Object({ ...limitInput, local: Type.Optional(Type.Boolean()) }),
    async handle({ app, request, params: { name }, input: { limit, local = false } }) {
      const origin = await tagFeedOrigin(app, local ? 'local' : 'all');
      if (!isTagName(name) || origin === undefined) throw notFound();
      return tagFeed(app, request, name, { origin, limit });
    },
  }),
];

function tabFeedRoute(path: string, tab: { tab: ProfileTab; path: string }, summary: string): Route {
  return get(path, {
    summary,
    ...routeOptions,
    params: Type.Object({ username }),
    input: Type.Object(limitInput),
    handle: ({ app, request, params, input }) =>
      profileFeed(app, request, params.username, { ...tab, limit: input.limit }),
  });
}

async function profileFeed(
  app: App,
  request: RequestContext,
  name: string,
  options: { tab: ProfileTab; path: string; limit: number | undefined },
): Promise<HttpResponse> {
  if (!hasFeeds(app)) throw notFound();
  return accountFeed(app, request, await loadProfile({ app }, name), options);
}
