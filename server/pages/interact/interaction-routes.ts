import { Type } from 'typebox';
import { resolveAccount, resolveUrl, type ResolvedUrl } from '../../federation/index.ts';
import type { App } from '../../platform/app.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html, rawHtml } from '../../platform/http/html.ts';
import { notFound, unprocessable } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { followAccount, unfollowAccount } from '../../relationships/follow/index.ts';
import { presentRelationships, presentAccountsFor } from '../../relationships/read/index.ts';
import {
  bookmarkStatus,
  favouriteStatus,
  reblogStatus,
  unbookmarkStatus,
  unfavouriteStatus,
  unreblogStatus,
} from '../../statuses/react/index.ts';
import { filterVisibleStatuses, presentStatus, requireVisibleStatus } from '../../statuses/read/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { form, hiddenField } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { displayNameOf } from '../render/display-name.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { renderEmojis } from '../render/render-emojis.ts';
import { statusCard } from '../render/status-card.ts';
import type { Visitor } from '../visitor.ts';

const routePath = '/authorize_interaction';

const text = Type.Optional(Type.String());

type StatusActionHandler = (app: App, accountId: AccountId, statusId: StatusId) => Promise<unknown>;
const statusActions: ReadonlyMap<string, StatusActionHandler> = new Map<string, StatusActionHandler>([
  ['favourite', favouriteStatus],
  ['unfavourite', unfavouriteStatus],
  ['reblog', reblogStatus],
  ['unreblog', unreblogStatus],
  ['bookmark', bookmarkStatus],
  ['unbookmark', unbookmarkStatus],
]);

/**
 * The pages that other servers send visitors to who want to follow an account or react to a post with a local account
 * (WebFinger subscribe template, FEP-3b86).
 */
export const interactionRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/authorize_interaction', {
    summary: 'Show the page to follow a local or remote account, or to react to a post',
    input: Type.Object({ uri: text, acct: text, action: text }),
    async handle({ visitor, session, input }) {
      const uri = (input.uri ?? input.acct ?? '').trim();
      const found = uri === '' ? undefined : await resolveUri(visitor.app, uri);
      if (found === undefined || 'collectionId' in found) throw notFound('http.notFound');
      if ('accountId' in found) return accountPage(visitor, session, { accountId: found.accountId, uri });
      if (input.action === 'reply') return redirectTo(visitor, `/share?in_reply_to_id=${found.statusId}`);
      return statusPage(visitor, session, { statusId: found.statusId, uri, action: input.action });
    },
  }),

  signedInPageRoute('POST', '/authorize_interaction/account', {
    summary: 'Follow or unfollow an account',
    rateLimit: 'follows',
    input: Type.Object({ id: Type.Optional(idSchema<'account'>()), uri: text, action: text }),
    async handle({ visitor, session, input: { id, uri = '', action } }) {
      if (id === undefined) throw unprocessable('http.unprocessable');
      if (action === 'unfollow') await unfollowAccount(visitor.app, session.accountId, id);
      else await followAccount(visitor.app, session.accountId, id);
      return redirectTo(visitor, interactionPath(uri));
    },
  }),

  signedInPageRoute('POST', '/authorize_interaction/status', {
    summary: 'Favourite, boost or bookmark a post, or undo this',
    input: Type.Object({ id: Type.Optional(idSchema<'status'>()), uri: text, action: text }),
    async handle({ visitor, session, input: { id, uri = '', action = '' } }) {
      const act = statusActions.get(action);
      if (id === undefined || act === undefined) throw unprocessable('http.unprocessable');
      await act(visitor.app, session.accountId, id);
      return redirectTo(visitor, interactionPath(uri));
    },
  }),
];

const interactionPath = (uri: string): string => `${routePath}?uri=${encodeURIComponent(uri)}`;

/** Resolves a URL, a handle or an `acct:` URI. Throws 503 if the remote server is temporarily unavailable. */
async function resolveUri(app: App, uri: string): Promise<ResolvedUrl | undefined> {
  if (/^https?:/i.test(uri)) return resolveUrl(app, uri);
  const accountId = await resolveAccount(app, uri, { throwIfUnavailable: true });
  return accountId === undefined ? undefined : { accountId };
}

async function accountPage(
  visitor: Visitor,
  session: Session,
  { accountId, uri }: { accountId: AccountId; uri: string },
): Promise<HttpResponse> {
  const { app, t } = visitor;
  const [presented, relationships] = await Promise.all([
    presentAccountsFor(app, session, [accountId]),
    presentRelationships(app, session.accountId, [accountId]),
  ]);
  const [json] = presented;
  const [relationship] = relationships;
  if (json === undefined || relationship === undefined) throw notFound('http.notFound');
  const account = json.parse();
  const isFollowed = relationship.following || relationship.requested;
  const label = t(
    relationship.requested ? 'interact.cancelRequest' : relationship.following ? 'people.unfollow' : 'people.follow',
  );
  const button = html`<button
    name="action"
    value="${isFollowed ? 'unfollow' : 'follow'}"
    ${isFollowed && html`class="quiet"`}
  >
    ${label}
  </button>`;
  return renderPage(visitor, {
    title: t('interact.followTitle', { name: displayNameOf(account) }),
    body: html`<section class="card">
      <h1 dir="auto">${renderEmojis(html`${displayNameOf(account)}`, account.emojis)}</h1>
      <div class="person">
        <img src="${account.avatar_static}" alt="" width="48" height="48" />
        <p><a dir="ltr" href="${account.url}">@${account.acct}</a></p>
      </div>
      <div dir="auto">${renderEmojis(rawHtml(account.note), account.emojis)}</div>
      ${
        accountId !== session.accountId &&
        actionForm(visitor, 'account', html`${hiddenField('id', accountId)}${hiddenField('uri', uri)}${button}`)
      }
    </section>`,
  });
}

async function statusPage(
  visitor: Visitor,
  session: Session,
  { statusId, uri, action: requested }: { statusId: StatusId; uri: string; action?: string | undefined },
): Promise<HttpResponse> {
  const { app, t } = visitor;
  await requireVisibleStatus(app, session.accountId, statusId);
  if ((await filterVisibleStatuses(app, session.accountId, [statusId], 'saved')).length === 0)
    throw notFound('http.notFound');
  const status = (await presentStatus(app, session, statusId)).parse();
  const action = (done: boolean | undefined, name: 'favourite' | 'reblog' | 'bookmark'): Html => {
    if (done === true)
      return html`<button class="quiet" name="action" value="un${name}">${t(`interact.un${name}`)}</button>`;
    // The action that the visitor came for stands out.
    const isQuiet = requested !== undefined && statusActions.has(requested) && requested !== name;
    return html`<button ${isQuiet && html`class="quiet"`} name="action" value="${name}">
      ${t(`interact.${name}`)}
    </button>`;
  };
  const canBoost = status.visibility === 'public' || status.visibility === 'unlisted';
  return renderPage(visitor, {
    title: t('pages.postBy', { name: displayNameOf(status.account) }),
    wide: true,
    body: html`<h1 class="offscreen">${t('pages.postBy', { name: displayNameOf(status.account) })}</h1>
      ${statusCard(t, status)}
      ${actionForm(
        visitor,
        'status',
        html`${hiddenField('id', statusId)}${hiddenField('uri', uri)} ${action(status.favourited, 'favourite')}
          ${canBoost && action(status.reblogged, 'reblog')} ${action(status.bookmarked, 'bookmark')}
          <a class="button quiet" href="/share?in_reply_to_id=${statusId}">${t('interact.reply')}</a>`,
      )}`,
  });
}

const actionForm = (visitor: Visitor, kind: 'account' | 'status', fields: Html): Html =>
  form(visitor, `${routePath}/${kind}`, html`<div class="buttons">${fields}</div>`);
