import { Type } from 'typebox';
import { negotiateTag } from '../../federation/index.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { isTagName } from '../../text/index.ts';
import { narrowFeed } from '../../timelines/access/index.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { pageRoute } from '../page-routes.ts';
import { limitedFederationRedirect } from './profile-routes.ts';
import { listTagPosts } from './public-posts.ts';
import { feedLink, wantsFeed } from '../feeds/account-feed.ts';
import { tagFeed, tagFeedOrigin } from '../feeds/tag-feed.ts';
import { withReturnPath } from '../auth/return-path.ts';
import { statusCard } from '../render/status-card.ts';
import type { Visitor } from '../visitor.ts';
import { findShell } from '../web/shell.ts';

export const tagRoutes: readonly Route[] = [
  pageRoute('GET', '/tags/:name', {
    summary: 'Show the page of a hashtag',
    readsReplica: 'always',
    params: Type.Object({ name: Type.String() }),
    input: Type.Object({ max_id: Type.Optional(idSchema<'status'>()) }),
    async handle({ visitor, params: { name }, input }) {
      if (!isTagName(name)) throw notFound('http.notFound');
      const document = await negotiateTag(visitor.app, visitor.request, name);
      if (document !== undefined) return document;
      const origin = wantsFeed(visitor.request) ? await tagFeedOrigin(visitor.app) : undefined;
      if (origin !== undefined) return tagFeed(visitor.app, visitor.request, name, { origin, vary: true });
      return limitedFederationRedirect(visitor) ?? (await findShell(visitor)) ?? tagPage(visitor, name, input.max_id);
    },
  }),
];

/** A user without permissions: the page is the same for all who are signed in. */
const signedIn = { permissions: 0n };

async function tagPage(visitor: Visitor, name: string, before: StatusId | undefined): Promise<HttpResponse> {
  const { app, request, t } = visitor;
  const { activeSession } = visitor;
  const origin = await narrowFeed(app, activeSession && signedIn, 'topic', 'all');
  if (origin === undefined && visitor.session !== undefined) return redirectTo(visitor, '/auth/setup');
  if (origin === undefined) return redirectTo(visitor, withReturnPath('/auth/sign_in', request.url));
  const { statuses, older } = await listTagPosts(app, name, { before, origin });
  const path = `/tags/${encodeURIComponent(name)}`;
  return renderPage(visitor, {
    title: `#${name}`,
    wide: true,
    takesCustomCss: true,
    isIndexable: false,
    head: html`<link rel="alternate" type="application/activity+json" href="${app.config.baseUrl}${path}" />
      ${(await tagFeedOrigin(app)) !== undefined && feedLink(`${app.config.baseUrl}${path}.rss`, `#${name}`)}`,
    body: html`<h1 dir="auto">#${name}</h1>
      ${statuses.length === 0 && html`<p class="soft">${t(before === undefined ? 'pages.noPostsYet' : 'pages.noPostsBefore')}</p>`}
      ${statuses.map((status) => statusCard(t, status))}
      ${older !== undefined && html`<p><a class="button quiet" href="${path}?max_id=${older}" rel="next">${t('pages.olderPosts')}</a></p>`}`,
  });
}
