import { parseAccount, type CachedAccount } from '../../accounts/present/index.ts';
import type { Account } from '../../accounts/index.ts';
import { listCollections } from '../../collections/read/index.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html, rawHtml } from '../../platform/http/html.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import type { StatusId } from '../../platform/ids.ts';
import { siteSettings } from '../../site/index.ts';
import { renderPage } from '../render/layout.ts';
import { feedLink, hasFeeds } from '../feeds/account-feed.ts';
import { displayNameOf } from '../render/display-name.ts';
import { openGraph } from './open-graph.ts';
import { listPinnedPosts, listProfilePosts, type ProfileTab } from './public-posts.ts';
import { renderMonth } from '../render/render-date.ts';
import { renderEmojis } from '../render/render-emojis.ts';
import { statusCard } from '../render/status-card.ts';
import type { Visitor } from '../visitor.ts';

/** A tab of a profile; `path` follows the URL of the profile. */
export interface ProfileView {
  readonly tab: ProfileTab;
  readonly path: string;
  readonly maxId: StatusId | undefined;
}

/** Renders the profile of a local account with its public posts. */
export async function profilePage(visitor: Visitor, body: CachedAccount, view: ProfileView): Promise<HttpResponse> {
  const { app, t } = visitor;
  const { tab, path, maxId } = view;
  const account = parseAccount(body);
  const isFirstPage = tab === 'posts' && maxId === undefined;
  const [{ title: site }, { statuses, older }, pinned, collections] = await Promise.all([
    siteSettings(app),
    listProfilePosts(app, body.id, view),
    isFirstPage ? listPinnedPosts(app, body.id) : [],
    listCollections(app, undefined, body.id, { limit: 1, offset: 0, maxId: undefined }),
  ]);
  const handle = `@${account.username}@${app.config.domain}`;
  const title = `${titleOf(t, tab, displayNameOf(account))} (${handle})`;
  const url = `${account.url}${path}`;
  const { note: description, avatar: image } = account;
  return renderPage(visitor, {
    title,
    wide: true,
    takesCustomCss: true,
    isIndexable: account.indexable && maxId === undefined,
    head: html`${openGraph({ type: 'profile', title, description, url, image, site })}
      <meta property="profile:username" content="${account.username}@${app.config.domain}" />
      <link rel="alternate" type="application/activity+json" href="${body.uri}" />
      ${hasFeeds(app) && feedLink(`${url}.rss`, titleOf(t, tab, displayNameOf(account)))}${relMeLinks(account)}`,
    body: html`<section class="card" aria-labelledby="name">
        <img class="banner" src="${account.header_static}" alt="${account.header_description}" />
        <div class="person">
          <img src="${account.avatar_static}" alt="${account.avatar_description}" width="48" height="48" />
          <p>
            <strong id="name">${renderEmojis(html`${displayNameOf(account)}`, account.emojis)}</strong><br /><span
              class="soft"
              >${handle}</span
            >
          </p>
        </div>
        <h1 class="offscreen">${title}</h1>
        <div dir="auto">${renderEmojis(rawHtml(account.note), account.emojis)}</div>
        ${renderFields(account)}
        <ul class="counts">
          <li>${t.html('profile.postCount', strongCount(t, account.statuses_count))}</li>
          <li>${t.html('pages.countFollowing', strongCount(t, account.following_count))}</li>
          <li>${t.html('profile.followerCount', strongCount(t, account.followers_count))}</li>
          <li>${t.html('pages.joined', { month: renderMonth(t, account.created_at) })}</li>
        </ul>
        ${collections.length > 0 && html`<p><a href="/@${account.username}/collections">${t('collections.title')}</a></p>`}
        ${account.email_subscriptions === true && html`<p><a href="/email_subscriptions/new?acct=${account.username}">${t('emailSubscriptions.profileLink')}</a></p>`}
        <p class="soft small">${t('pages.howToFollow', { handle })}</p>
      </section>
      ${renderTabs(t, account, tab)}
      ${
        pinned.length > 0 &&
        html`<h2>${t('pages.pinned')}</h2>
          ${pinned.map((status) => statusCard(t, status, 3))}
          <h2>${t('pages.latest')}</h2>`
      }
      ${statuses.length === 0 && html`<p class="soft">${emptyText(t, tab, maxId === undefined ? 'Yet' : 'Before')}</p>`}
      ${statuses.map((status) => statusCard(t, status, pinned.length > 0 ? 3 : 2))}
      ${older !== undefined && html`<p><a class="button quiet" href="/@${account.username}${path}?max_id=${older}" rel="next">${t('pages.olderPosts')}</a></p>`}`,
  });
}

/** Returns a count for a text: `count` chooses the plural form, `number` is shown. */
const strongCount = (t: Translator, count: number): { count: number; number: Html } => ({
  count,
  number: html`<strong>${count.toLocaleString(t.locale)}</strong>`,
});

const profileTabs = [
  ['posts', '', 'explore.posts'],
  ['with_replies', '/with_replies', 'pages.tabReplies'],
  ['media', '/media', 'profile.media'],
] as const;

function renderTabs(t: Translator, { username: name }: Account, shown: ProfileTab): Html {
  return html`<nav class="tabs" aria-label="${t('preferences.profile')}">
    ${profileTabs.map(
      ([part, path, label]) =>
        html`<a class="button quiet" href="/@${name}${path}" ${part === shown && rawHtml('aria-current="page"')}
          >${t(label)}</a
        > `,
    )}
  </nav>`;
}

function titleOf(t: Translator, part: ProfileTab, name: string): string {
  if (typeof part === 'object') return t('pages.titleTagged', { tag: part.tagged, name });
  if (part === 'posts') return name;
  return t(part === 'media' ? 'pages.titleMedia' : 'pages.titleReplies', { name });
}

function emptyText(t: Translator, part: ProfileTab, when: 'Yet' | 'Before'): string {
  if (typeof part === 'object') return t(`pages.noTagged${when}`, { tag: part.tagged });
  return t(part === 'media' ? `pages.noMedia${when}` : `pages.noPosts${when}`);
}

function renderFields({ fields, emojis }: Account): Html | undefined {
  if (fields.length === 0) return undefined;
  const rows = fields.map(
    ({ name, value }) =>
      html`<tr>
        <th scope="row">${renderEmojis(html`${name}`, emojis)}</th>
        <td>${renderEmojis(rawHtml(value), emojis)}</td>
      </tr>`,
  );
  return html`<table class="facts">
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

/** Renders `rel="me"` links, so that the linked pages can verify the profile. */
function relMeLinks({ fields }: Account): Html[] {
  return fields.flatMap(({ value }) => {
    const href = /href="(https?:\/\/[^"<>]+)"/.exec(value)?.[1];
    return href === undefined ? [] : [html`<link rel="me" href="${rawHtml(href)}" />`];
  });
}
