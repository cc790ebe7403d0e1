import { type Account, type AccountBody } from '../accounts/index.ts';
import { listCollections } from '../collections/index.ts';
import type { Answer } from '../platform/http/answers.ts';
import { html, type Html, raw } from '../platform/http/html.ts';
import type { StatusId } from '../platform/ids.ts';
import { siteSettings } from '../site/index.ts';
import { render } from './layout.ts';
import { accountOf, nameOf } from './names.ts';
import { openGraph } from './open-graph.ts';
import { pinnedPosts, postsOfAccount, type ProfilePart } from './public-posts.ts';
import { showMonth } from './show-date.ts';
import { withEmojis } from './show-emojis.ts';
import { statusCard } from './status-card.ts';
import type { Visitor } from './visitor.ts';

/** A part of the posts of a profile, and where it is: `path` follows the address of the profile. */
export interface ProfileView {
  readonly part: ProfilePart;
  readonly path: string;
  readonly before: StatusId | undefined;
}

/** The page of a local account, with those of its posts that everybody may read. */
export async function profilePage(visitor: Visitor, body: AccountBody, view: ProfileView): Promise<Answer> {
  const { app } = visitor;
  const { part, path, before } = view;
  const account = accountOf(body);
  const isFirstPage = part === 'posts' && before === undefined;
  const [{ title: site }, { statuses, older }, pinned, collections] = await Promise.all([
    siteSettings(app),
    postsOfAccount(app, body.id, view),
    isFirstPage ? pinnedPosts(app, body.id) : [],
    listCollections(app, undefined, body.id, { limit: 1, offset: 0, maxId: undefined }),
  ]);
  const handle = `@${account.username}@${app.config.domain}`;
  const title = `${titleOf(part, nameOf(account))} (${handle})`;
  const url = `${account.url}${path}`;
  const { note: description, avatar: image } = account;
  return render(visitor, {
    title,
    wide: true,
    indexed: account.indexable && before === undefined,
    head: html`${openGraph({ type: 'profile', title, description, url, image, site })}
      <meta property="profile:username" content="${account.username}@${app.config.domain}" />
      <link rel="alternate" type="application/activity+json" href="${body.uri}" />${relMe(account)}`,
    body: html`<section class="card" aria-labelledby="name">
        <img class="banner" src="${account.header_static}" alt="${account.header_description}" />
        <div class="person">
          <img src="${account.avatar_static}" alt="${account.avatar_description}" width="48" height="48" />
          <p>
            <strong id="name">${withEmojis(html`${nameOf(account)}`, account.emojis)}</strong><br /><span class="soft"
              >${handle}</span
            >
          </p>
        </div>
        <h1 class="offscreen">${title}</h1>
        <div dir="auto">${withEmojis(raw(account.note), account.emojis)}</div>
        ${facts(account)}
        <ul class="counts">
          <li><strong>${account.statuses_count}</strong> posts</li>
          <li><strong>${account.following_count}</strong> following</li>
          <li><strong>${account.followers_count}</strong> followers</li>
          <li>Joined ${showMonth(account.created_at)}</li>
        </ul>
        ${collections.length > 0 && html`<p><a href="/@${account.username}/collections">Collections</a></p>`}
        <p class="soft small">To follow from another server, search for ${handle} there.</p>
      </section>
      ${tabs(account, part)}
      ${
        pinned.length > 0 &&
        html`<h2>Pinned</h2>
          ${pinned.map((status) => statusCard(status, 3))}
          <h2>Latest</h2>`
      }
      ${statuses.length === 0 && html`<p class="soft">${emptyText(part)}${before === undefined ? ' yet' : ' before that'}.</p>`}
      ${statuses.map((status) => statusCard(status, pinned.length > 0 ? 3 : 2))}
      ${older !== undefined && html`<p><a class="button quiet" href="/@${account.username}${path}?max_id=${older}" rel="next">Older posts</a></p>`}`,
  });
}

const parts = [
  ['posts', '', 'Posts'],
  ['with_replies', '/with_replies', 'Posts and replies'],
  ['media', '/media', 'Media'],
] as const;

function tabs({ username: name }: Account, shown: ProfilePart): Html {
  return html`<nav class="tabs" aria-label="Parts of the profile">
    ${parts.map(
      ([part, path, label]) =>
        html`<a class="button quiet" href="/@${name}${path}" ${part === shown && raw('aria-current="page"')}
          >${label}</a
        > `,
    )}
  </nav>`;
}

function titleOf(part: ProfilePart, name: string): string {
  if (typeof part === 'object') return `#${part.tagged} by ${name}`;
  return { posts: name, with_replies: `Posts and replies by ${name}`, media: `Media by ${name}` }[part];
}

function emptyText(part: ProfilePart): string {
  if (typeof part === 'object') return `No public posts with #${part.tagged}`;
  return part === 'media' ? 'No public posts with files' : 'No public posts';
}

function facts({ fields, emojis }: Account): Html | undefined {
  if (fields.length === 0) return undefined;
  const rows = fields.map(
    ({ name, value }) =>
      html`<tr>
        <th scope="row">${withEmojis(html`${name}`, emojis)}</th>
        <td>${withEmojis(raw(value), emojis)}</td>
      </tr>`,
  );
  return html`<table class="facts">
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

/** Lets the pages that a profile links to see that the link goes both ways. */
function relMe({ fields }: Account): Html[] {
  return fields.flatMap(({ value }) => {
    const href = /href="(https?:\/\/[^"<>]+)"/.exec(value)?.[1];
    return href === undefined ? [] : [html`<link rel="me" href="${raw(href)}" />`];
  });
}
