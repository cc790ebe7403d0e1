import { Type } from 'typebox';
import {
  type Account,
  accountBodies,
  type AccountBody,
  findAccountByAcct,
  findLocalAccount,
} from '../accounts/index.ts';
import { listCollections } from '../collections/index.ts';
import { actorAtPage, objectAtPage } from '../federation/index.ts';
import type { Answer } from '../platform/http/answers.ts';
import { html, type Html, raw } from '../platform/http/html.ts';
import { gone, notFound } from '../platform/http/problems.ts';
import type { Route } from '../platform/http/routes.ts';
import { idSchema, type StatusId } from '../platform/ids.ts';
import { siteSettings } from '../site/index.ts';
import { presentStatus, requireVisibleStatus, type Status, statusUri } from '../statuses/index.ts';
import { goTo, render } from './layout.ts';
import { oembedAddress } from './oembed-routes.ts';
import { openGraph } from './open-graph.ts';
import { page } from './page-routes.ts';
import { answersToPost, postsOfAccount, type ProfilePart } from './public-posts.ts';
import { withReturn } from './return-to.ts';
import { withEmojis } from './show-emojis.ts';
import { statusCard } from './status-card.ts';
import type { Visitor } from './visitor.ts';

const username = Type.String();

export const profileRoutes: readonly Route[] = [
  page('GET', '/@:username', {
    summary: 'Profile page',
    params: Type.Object({ username }),
    input: Type.Object({ max_id: Type.Optional(idSchema<'status'>()) }),
    async handle({ visitor, params, input }) {
      const document = await actorAtPage(visitor.app, visitor.request, params.username);
      if (document !== undefined) return document;
      if (params.username.includes('@')) return elsewherePage(visitor, params.username);
      const view = { part: 'posts', path: '', before: input.max_id } as const;
      return refusedEntry(visitor) ?? profilePage(visitor, await requireProfile(visitor, params.username), view);
    },
  }),

  ...(['with_replies', 'media'] as const).map((part) =>
    page('GET', `/@:username/${part}`, {
      summary: part === 'media' ? 'Posts of a profile with files' : 'Posts of a profile with its answers to others',
      params: Type.Object({ username }),
      input: Type.Object({ max_id: Type.Optional(idSchema<'status'>()) }),
      handle: ({ visitor, params, input }) =>
        partPage(visitor, params.username, { part, path: `/${part}`, before: input.max_id }),
    }),
  ),

  page('GET', '/@:username/tagged/:tag', {
    summary: 'Posts of a profile with a hashtag',
    params: Type.Object({ username, tag: Type.String() }),
    input: Type.Object({ max_id: Type.Optional(idSchema<'status'>()) }),
    handle: ({ visitor, params: { username: name, tag }, input }) =>
      partPage(visitor, name, {
        part: { tagged: tag },
        path: `/tagged/${encodeURIComponent(tag)}`,
        before: input.max_id,
      }),
  }),

  page('GET', '/@:username/:id', {
    summary: 'Page of a post',
    params: Type.Object({ username, id: idSchema<'status'>() }),
    async handle({ visitor, params }) {
      const document = await objectAtPage(visitor.app, visitor.request, params.username, params.id);
      if (document !== undefined) return document;
      return refusedEntry(visitor) ?? postPage(visitor, await requireProfile(visitor, params.username), params.id);
    },
  }),
];

/** Servers of limited federation show nothing to those who are not signed in. */
export function refusedEntry(visitor: Visitor): Answer | undefined {
  const { session, app, request } = visitor;
  if (session !== undefined || !app.config.LIMITED_FEDERATION) return undefined;
  return goTo(visitor, withReturn('/auth/sign_in', request.url));
}

/** A local account whose profile is shown; 404 and 410 where it is not. */
export async function requireProfile({ app }: Visitor, name: string): Promise<AccountBody> {
  const account = await findLocalAccount(app, name);
  const body = account && (await accountBodies(app, [account.id])).get(account.id);
  if (body === undefined || !body.activated) throw notFound('Not Found');
  if (body.suspended) throw gone();
  return body;
}

/** The account of a body. */
export /** A part of the posts of a profile, and where it is: `path` follows the address of the profile. */
interface ProfileView {
  readonly part: ProfilePart;
  readonly path: string;
  readonly before: StatusId | undefined;
}

async function partPage(visitor: Visitor, name: string, view: ProfileView): Promise<Answer> {
  if (name.includes('@')) return elsewherePage(visitor, name);
  return refusedEntry(visitor) ?? profilePage(visitor, await requireProfile(visitor, name), view);
}

export const accountOf = ({ json }: AccountBody): Account => JSON.parse(json) as Account;
/** What an account calls itself. */
export const nameOf = ({ display_name: name, username }: Account): string => (name === '' ? username : name);

async function profilePage(visitor: Visitor, body: AccountBody, view: ProfileView): Promise<Answer> {
  const { app } = visitor;
  const { part, path, before } = view;
  const account = accountOf(body);
  const [{ title: site }, { statuses, older }, collections] = await Promise.all([
    siteSettings(app),
    postsOfAccount(app, body.id, view),
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
        </ul>
        ${collections.length > 0 && html`<p><a href="/@${account.username}/collections">Collections</a></p>`}
        <p class="soft small">To follow from another server, search for ${handle} there.</p>
      </section>
      ${tabs(account, part)}
      ${statuses.length === 0 && html`<p class="soft">${emptyText(part)}${before === undefined ? ' yet' : ' before that'}.</p>`}
      ${statuses.map((status) => statusCard(status))}
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

async function postPage(visitor: Visitor, author: AccountBody, id: StatusId): Promise<Answer> {
  const { app } = visitor;
  const found = await requireVisibleStatus(app, undefined, id);
  if (found.accountId !== author.id) throw notFound('Not Found');
  const [{ text }, answers, { title: site }] = await Promise.all([
    presentStatus(app, undefined, id),
    answersToPost(app, id),
    siteSettings(app),
  ]);
  const status = JSON.parse(text) as Status;
  if (status.reblog !== null) return elsewhereLink(visitor, status.reblog.url ?? status.reblog.uri);
  const { account, spoiler_text: spoiler, url } = status;
  const title = `Post by ${nameOf(account)}`;
  const picture = status.sensitive ? undefined : status.media_attachments.find(({ type }) => type === 'image');
  const description = spoiler === '' ? status.content : html`${spoiler}`.text;
  const image = picture?.preview_url ?? picture?.url ?? account.avatar;
  return render(visitor, {
    title,
    wide: true,
    indexed: account.indexable && status.visibility === 'public',
    head: html`${openGraph({ type: 'article', title, description, url: url ?? status.uri, image, site })}
      <link rel="alternate" type="application/activity+json" href="${statusUri(app, author.username, id)}" />
      <link rel="alternate" type="application/json+oembed" href="${oembedAddress(app, url ?? status.uri)}" />`,
    body: html`<h1 class="offscreen">${title}</h1>
      ${statusCard(status)}
      ${
        answers.length > 0 &&
        html`<h2>Replies</h2>
          ${answers.map((answer) => statusCard(answer, 3))}`
      }`,
  });
}

/** The page of somebody from another server stands there: it is linked to, never redirected to. */
async function elsewherePage(visitor: Visitor, handle: string): Promise<Answer> {
  const account = await findAccountByAcct(visitor.app, handle);
  if (account === undefined || account.suspended_at !== null) throw notFound('Not Found');
  if (account.domain === null) return goTo(visitor, `/@${account.username}`);
  return elsewhereLink(visitor, account.url ?? account.uri);
}

/** A page that leads to one of another server. */
export function elsewhereLink(visitor: Visitor, address: string): Promise<Answer> {
  return render(visitor, {
    title: 'On another page',
    body: html`<div class="card">
      <h1>This is on another page</h1>
      <p><a href="${address}" rel="noopener noreferrer nofollow">${address}</a></p>
    </div>`,
  });
}
