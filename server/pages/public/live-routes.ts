import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html, rawHtml, type Html } from '../../platform/http/html.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import type { StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { narrowFeed, type FeedOrigin } from '../../timelines/access/index.ts';
import { findVisibleTrends, presentLinks, presentTrendingTags, type TrendKind } from '../../trends/index.ts';
import { withReturnPath } from '../auth/return-path.ts';
import { pageRoute } from '../page-routes.ts';
import { linkCard } from '../render/link-card.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { statusCard } from '../render/status-card.ts';
import type { Visitor } from '../visitor.ts';
import { findShell } from '../web/shell.ts';
import { limitedFederationRedirect } from './profile-routes.ts';
import { listLivePosts, presentAnonymously } from './public-posts.ts';

const timelineTabs = [
  { key: 'all', path: '/public', label: 'timeline.all' },
  { key: 'local', path: '/public/local', label: 'timeline.local' },
  { key: 'remote', path: '/public/remote', label: 'timeline.remote' },
] as const;

const trendTabs = [
  { key: 'status', path: '/explore', label: 'explore.posts' },
  { key: 'tag', path: '/explore/tags', label: 'explore.tags' },
  { key: 'link', path: '/explore/links', label: 'explore.links' },
] as const;

/** The public timelines and the trends: the web client for users, and pages for visitors if the site shows them these. */
export const liveRoutes: readonly Route[] = [
  timelineRoute('/public', 'all', 'Show the public timeline'),
  timelineRoute('/public/local', 'local', 'Show the local public timeline'),
  timelineRoute('/public/remote', 'remote', 'Show remote public posts'),
  pageRoute('GET', '/explore', {
    summary: 'Show trending posts',
    readsReplica: 'always',
    handle: async ({ visitor }) => (await findShell(visitor)) ?? trendsPage(visitor, 'status'),
  }),
  pageRoute('GET', '/explore/:tab', {
    summary: 'Show one kind of trends',
    readsReplica: 'always',
    params: Type.Object({ tab: Type.String() }),
    async handle({ visitor, params: { tab } }) {
      const shell = await findShell(visitor);
      if (shell !== undefined) return shell;
      // Suggestions of people are for users.
      if (tab === 'people') return signInRedirect(visitor);
      const shown = trendTabs.find(({ path }) => path === `/explore/${tab}`);
      if (shown === undefined) throw notFound('http.notFound');
      return trendsPage(visitor, shown.key);
    },
  }),
];

function timelineRoute(path: string, origin: FeedOrigin, summary: string): Route {
  return pageRoute('GET', path, {
    summary,
    readsReplica: 'always',
    input: Type.Object({ max_id: Type.Optional(idSchema<'status'>()) }),
    handle: async ({ visitor, input }) => (await findShell(visitor)) ?? timelinePage(visitor, origin, input.max_id),
  });
}

/** Sends visitors to sign in, and users who may not use the server yet to finish setting up their account. */
const signInRedirect = (visitor: Visitor): HttpResponse =>
  redirectTo(
    visitor,
    withReturnPath(visitor.session === undefined ? '/auth/sign_in' : '/auth/setup', visitor.request.url),
  );

async function timelinePage(visitor: Visitor, wanted: FeedOrigin, before: StatusId | undefined): Promise<HttpResponse> {
  const { app, t } = visitor;
  const viewer = visitor.activeSession && { permissions: 0n };
  const origin = await narrowFeed(app, viewer, 'live', wanted);
  if (origin === undefined) return signInRedirect(visitor);
  const { statuses, older } = await listLivePosts(app, origin, before);
  const { path } = timelineTabs.find(({ key }) => key === wanted) ?? timelineTabs[0];
  return renderPage(visitor, {
    title: t('nav.live'),
    wide: true,
    body: html`<h1>${t('nav.live')}</h1>
      ${renderTabs(t, t('nav.live'), timelineTabs, wanted)}
      ${statuses.length === 0 && html`<p class="soft">${t(before === undefined ? 'pages.noPostsYet' : 'pages.noPostsBefore')}</p>`}
      ${statuses.map((status) => statusCard(t, status))}
      ${older !== undefined && html`<p><a class="button quiet" href="${path}?max_id=${older}" rel="next">${t('pages.olderPosts')}</a></p>`}`,
  });
}

async function trendsPage(visitor: Visitor, kind: TrendKind): Promise<HttpResponse> {
  const refusal = limitedFederationRedirect(visitor);
  if (refusal !== undefined) return refusal;
  const { t } = visitor;
  const items = await renderTrends(visitor, kind);
  return renderPage(visitor, {
    title: t('nav.explore'),
    wide: true,
    body: html`<h1>${t('nav.explore')}</h1>
      ${renderTabs(t, t('nav.explore'), trendTabs, kind)}
      ${items.length === 0 ? html`<p class="soft">${t('pages.noTrends')}</p>` : items}`,
  });
}

/** As many as one page of the API. */
const maxTrends = 20;

async function renderTrends({ app, request, t }: Visitor, kind: TrendKind): Promise<Html[]> {
  const trends = (await findVisibleTrends({ app, viewer: undefined, request }, kind)).slice(0, maxTrends);
  if (kind === 'tag') {
    const tags = await presentTrendingTags(app, undefined, trends);
    return tags.map(
      ({ name, trend_provider: provider }) =>
        html`<p><a href="/tags/${encodeURIComponent(name)}" dir="auto">#${name}</a> ${providerMark(t, provider)}</p>`,
    );
  }
  if (kind === 'link') {
    const links = await presentLinks(app, undefined, trends);
    return links.map((json) => {
      const link = json.parse();
      return html`${providerMark(t, link.trend_provider)}${linkCard(link)}`;
    });
  }
  const providers = new Map<string, string | null>(trends.map(({ id, provider }) => [id, provider]));
  const statuses = await presentAnonymously(
    app,
    trends.map(({ id }) => id),
  );
  return statuses.map((status) => html`${providerMark(t, providers.get(status.id))}${statusCard(t, status)}`);
}

/** Names the service provider according to which something trends. */
const providerMark = (t: Translator, provider: string | null | undefined): Html | undefined =>
  typeof provider === 'string'
    ? html`<span class="soft small">${t('status.trendsOn', { name: provider })}</span>`
    : undefined;

type Tab = (typeof timelineTabs | typeof trendTabs)[number];

const renderTabs = (t: Translator, label: string, tabs: readonly Tab[], shown: string): Html =>
  html`<nav class="tabs" aria-label="${label}">
    ${tabs.map(
      (tab) =>
        html`<a class="button quiet" href="${tab.path}" ${tab.key === shown && rawHtml('aria-current="page"')}
          >${t(tab.label)}</a
        > `,
    )}
  </nav>`;
