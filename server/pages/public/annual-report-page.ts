import { Type } from 'typebox';
import { parseAccount } from '../../accounts/present/index.ts';
import { findSharedReport, type ReportRow } from '../../annual-reports/index.ts';
import type { App } from '../../platform/app.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html } from '../../platform/http/html.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import type { Route } from '../../platform/http/routes.ts';
import { siteSettings } from '../../site/index.ts';
import { filterVisibleStatuses, presentStatuses } from '../../statuses/read/index.ts';
import type { Status } from '../../statuses/index.ts';
import { renderPage } from '../render/layout.ts';
import { pageRoute } from '../page-routes.ts';
import { displayNameOf } from '../render/display-name.ts';
import { statusCard } from '../render/status-card.ts';
import { openGraph } from './open-graph.ts';
import { limitedFederationRedirect, loadProfile } from './profile-routes.ts';
import type { Visitor } from '../visitor.ts';

const params = Type.Object({ username: Type.String(), year: Type.String(), share_key: Type.String() });

/** The addresses are those of Mastodon, so that links stay valid after a move of the software. */
export const annualReportRoutes: readonly Route[] = [
  pageRoute('GET', '/@:username/wrapstodon/:year/:share_key', {
    summary: 'Show an annual report that its account shares',
    params,
    handle: ({ visitor, params: { username, year, share_key: shareKey } }) =>
      limitedFederationRedirect(visitor) ?? reportPage(visitor, username, { year, shareKey }),
  }),
];

async function reportPage(
  visitor: Visitor,
  username: string,
  link: { readonly year: string; readonly shareKey: string },
): Promise<HttpResponse> {
  const { app, t } = visitor;
  const body = await loadProfile(visitor, username);
  const report = await findSharedReport(app, body.id, link);
  if (report === undefined) throw notFound('http.notFound');
  const account = parseAccount(body);
  const [topPost, { title: site }] = await Promise.all([loadTopPost(app, report), siteSettings(app)]);
  const title = t('pages.yearOf', { name: displayNameOf(account), year: report.year });
  const description = t(`pages.${report.data.archetype}`);
  const url = `${app.config.baseUrl}/@${account.username}/wrapstodon/${report.year}/${report.share_key}`;
  return renderPage(visitor, {
    title,
    wide: true,
    head: openGraph({ type: 'article', title, description, url, image: account.avatar, site }),
    body: html`<h1>${title}</h1>
      <section class="card">
        <p><a dir="ltr" href="${account.url}">@${account.username}@${app.config.domain}</a></p>
        <p>${description}</p>
        <p>${summarize(t, report)}</p>
      </section>
      ${
        topPost !== undefined &&
        html`<h2>${t('pages.topPost')}</h2>
          ${statusCard(t, topPost, 3)}`
      }`,
  });
}

function summarize(t: Translator, { data }: ReportRow): Html {
  const [totals] = data.time_series;
  const [tag] = data.top_hashtags;
  const statuses = totals?.statuses ?? 0;
  const link = tag && html`<a href="/tags/${tag.name}">#${tag.name}</a>`;
  return html`${t('profile.postCount', { count: statuses, number: statuses.toLocaleString(t.locale) })} &middot;
  ${t('pages.newFollowers', { count: totals?.followers ?? 0 })}${
    link !== undefined && html` &middot; ${t.html('pages.topHashtag', { tag: link, count: tag?.count ?? 0 })}`
  }`;
}

async function loadTopPost(app: App, { data }: ReportRow): Promise<Status | undefined> {
  const id = data.top_statuses.by_reblogs;
  const visible = id === null ? [] : await filterVisibleStatuses(app, undefined, [id], 'saved');
  const [presented] = await presentStatuses(app, undefined, visible);
  return presented?.parse();
}
