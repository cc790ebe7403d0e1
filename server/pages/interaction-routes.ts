import { Type } from 'typebox';
import { type Account } from '../accounts/index.ts';
import { resolveAccount, resolveUrl, type Resolved } from '../federation/index.ts';
import type { App } from '../platform/app.ts';
import type { Answer } from '../platform/http/answers.ts';
import { html, type Html, raw } from '../platform/http/html.ts';
import { notFound, unprocessable } from '../platform/http/problems.ts';
import type { Route } from '../platform/http/routes.ts';
import { idSchema, type AccountId, type StatusId } from '../platform/ids.ts';
import { followAccount, presentRelationships, unfollowAccount, presentAccountsFor } from '../relationships/index.ts';
import {
  bookmarkStatus,
  favouriteStatus,
  keepVisible,
  presentStatus,
  reblogStatus,
  requireVisibleStatus,
  type Status,
  unbookmarkStatus,
  unfavouriteStatus,
  unreblogStatus,
} from '../statuses/index.ts';
import type { Session } from '../users/index.ts';
import { form, hidden } from './forms.ts';
import { goTo, render } from './layout.ts';
import { nameOf } from './names.ts';
import { memberPage } from './page-routes.ts';
import { withEmojis } from './show-emojis.ts';
import { statusCard } from './status-card.ts';
import type { Visitor } from './visitor.ts';

const path = '/authorize_interaction';

const text = Type.Optional(Type.String());

type StatusAction = (app: App, accountId: AccountId, statusId: StatusId) => Promise<unknown>;
const statusActions: ReadonlyMap<string, StatusAction> = new Map<string, StatusAction>([
  ['favourite', favouriteStatus],
  ['unfavourite', unfavouriteStatus],
  ['reblog', reblogStatus],
  ['unreblog', unreblogStatus],
  ['bookmark', bookmarkStatus],
  ['unbookmark', unbookmarkStatus],
]);

/**
 * Where other servers send people who want to follow an account or to react to a post with their account here
 * (WebFinger's subscribe template, FEP-3b86).
 */
export const interactionRoutes: readonly Route[] = [
  memberPage('GET', path, {
    summary: 'Shows an account or a post of any server, to follow it or react to it',
    rateLimit: 'follows',
    input: Type.Object({ uri: text }),
    async handle({ visitor, session, input }) {
      const uri = input.uri?.trim() ?? '';
      const found = uri === '' ? undefined : await resolve(visitor.app, uri);
      if (found === undefined || 'collectionId' in found) throw notFound('Not Found');
      if ('accountId' in found) return accountPage(visitor, session, { accountId: found.accountId, uri });
      return statusPage(visitor, session, { statusId: found.statusId, uri });
    },
  }),

  memberPage('POST', `${path}/account`, {
    summary: 'Follows or unfollows an account',
    rateLimit: 'follows',
    input: Type.Object({ id: Type.Optional(idSchema<'account'>()), uri: text, action: text }),
    async handle({ visitor, session, input: { id, uri = '', action } }) {
      if (id === undefined) throw unprocessable('Unprocessable Content');
      if (action === 'unfollow') await unfollowAccount(visitor.app, session.accountId, id);
      else await followAccount(visitor.app, session.accountId, id);
      return goTo(visitor, addressOf(uri));
    },
  }),

  memberPage('POST', `${path}/status`, {
    summary: 'Favourites, boosts or bookmarks a post, or undoes it',
    input: Type.Object({ id: Type.Optional(idSchema<'status'>()), uri: text, action: text }),
    async handle({ visitor, session, input: { id, uri = '', action = '' } }) {
      const act = statusActions.get(action);
      if (id === undefined || act === undefined) throw unprocessable('Unprocessable Content');
      await act(visitor.app, session.accountId, id);
      return goTo(visitor, addressOf(uri));
    },
  }),
];

const addressOf = (uri: string): string => `${path}?uri=${encodeURIComponent(uri)}`;

/** Resolves a URL, a handle or an `acct:` URI. Throws 503 if the other server does not answer for now. */
async function resolve(app: App, uri: string): Promise<Resolved | undefined> {
  if (/^https?:/i.test(uri)) return resolveUrl(app, uri);
  const accountId = await resolveAccount(app, uri.replace(/^acct:/i, ''), { tellFailure: true });
  return accountId === undefined ? undefined : { accountId };
}

async function accountPage(
  visitor: Visitor,
  session: Session,
  { accountId, uri }: { accountId: AccountId; uri: string },
): Promise<Answer> {
  const { app } = visitor;
  const [presented, relationships] = await Promise.all([
    presentAccountsFor(app, session, [accountId]),
    presentRelationships(app, session.accountId, [accountId]),
  ]);
  const [text] = presented;
  const [relationship] = relationships;
  if (text === undefined || relationship === undefined) throw notFound('Not Found');
  const account = JSON.parse(text.text) as Account;
  const isFollowed = relationship.following || relationship.requested;
  const label = relationship.requested ? 'Withdraw the request' : relationship.following ? 'Unfollow' : 'Follow';
  const button = html`<button
    name="action"
    value="${isFollowed ? 'unfollow' : 'follow'}"
    ${isFollowed && html`class="quiet"`}
  >
    ${label}
  </button>`;
  return render(visitor, {
    title: `Follow ${nameOf(account)}`,
    body: html`<section class="card">
      <h1 dir="auto">${withEmojis(html`${nameOf(account)}`, account.emojis)}</h1>
      <div class="person">
        <img src="${account.avatar_static}" alt="" width="48" height="48" />
        <p><a href="${account.url}">@${account.acct}</a></p>
      </div>
      <div dir="auto">${withEmojis(raw(account.note), account.emojis)}</div>
      ${
        accountId !== session.accountId &&
        buttons(visitor, 'account', html`${hidden('id', accountId)}${hidden('uri', uri)}${button}`)
      }
    </section>`,
  });
}

async function statusPage(
  visitor: Visitor,
  session: Session,
  { statusId, uri }: { statusId: StatusId; uri: string },
): Promise<Answer> {
  const { app } = visitor;
  await requireVisibleStatus(app, session.accountId, statusId);
  if ((await keepVisible(app, session.accountId, [statusId], 'saved')).length === 0) throw notFound('Not Found');
  const { text } = await presentStatus(app, session, statusId);
  const status = JSON.parse(text) as Status;
  const action = (
    done: boolean | undefined,
    [name, label]: readonly [string, string],
    undo: readonly [string, string],
  ): Html =>
    done === true
      ? html`<button class="quiet" name="action" value="${undo[0]}">${undo[1]}</button>`
      : html`<button name="action" value="${name}">${label}</button>`;
  const canBoost = status.visibility === 'public' || status.visibility === 'unlisted';
  return render(visitor, {
    title: `Post by ${nameOf(status.account)}`,
    wide: true,
    body: html`<h1 class="offscreen">Post by ${nameOf(status.account)}</h1>
      ${statusCard(status)}
      ${buttons(
        visitor,
        'status',
        html`${hidden('id', statusId)}${hidden('uri', uri)}
          ${action(status.favourited, ['favourite', 'Favourite'], ['unfavourite', 'Remove favourite'])}
          ${canBoost && action(status.reblogged, ['reblog', 'Boost'], ['unreblog', 'Undo boost'])}
          ${action(status.bookmarked, ['bookmark', 'Bookmark'], ['unbookmark', 'Remove bookmark'])}
          <a class="button quiet" href="/share?in_reply_to_id=${statusId}">Reply</a>`,
      )}`,
  });
}

const buttons = (visitor: Visitor, kind: 'account' | 'status', fields: Html): Html =>
  form(visitor, `${path}/${kind}`, html`<div class="buttons">${fields}</div>`);
