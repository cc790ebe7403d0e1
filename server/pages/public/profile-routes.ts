import { Type } from 'typebox';
import { loadCachedAccounts, type CachedAccount } from '../../accounts/present/index.ts';
import { findAccountByAcct, findLocalAccount } from '../../accounts/find/index.ts';
import { findStatusByUri, negotiateActor, negotiateObject } from '../../federation/index.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { forbidden, notFound } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { remoteLinkPage } from './remote-link-page.ts';
import { redirectTo } from '../render/layout.ts';
import { pageRoute } from '../page-routes.ts';
import { postPage } from './post-page.ts';
import { profilePage, type ProfileView } from './profile-page.ts';
import { accountFeed, hasFeeds, wantsFeed } from '../feeds/account-feed.ts';
import { withReturnPath } from '../auth/return-path.ts';
import type { Visitor } from '../visitor.ts';
import { findShell } from '../web/shell.ts';

const username = Type.String();

const tabRoute = (path: string, tab: 'with_replies' | 'media', summary: string): Route =>
  pageRoute('GET', path, {
    summary,
    readsReplica: 'always',
    params: Type.Object({ username }),
    input: Type.Object({ max_id: Type.Optional(idSchema<'status'>()) }),
    handle: ({ visitor, params, input }) =>
      profileTabPage(visitor, params.username, { tab, path: `/${tab}`, maxId: input.max_id }),
  });

export const profileRoutes: readonly Route[] = [
  pageRoute('GET', '/@:username', {
    summary: 'Show a profile',
    readsReplica: 'always',
    params: Type.Object({ username }),
    input: Type.Object({ max_id: Type.Optional(idSchema<'status'>()) }),
    async handle({ visitor, params, input }) {
      const document = await negotiateActor(visitor.app, visitor.request, params.username);
      if (document !== undefined) return document;
      return profileTabPage(visitor, params.username, { tab: 'posts', path: '', maxId: input.max_id });
    },
  }),

  tabRoute('/@:username/with_replies', 'with_replies', 'Show the posts of a profile, with replies'),
  tabRoute('/@:username/media', 'media', 'Show the posts of a profile with attachments'),

  pageRoute('GET', '/@:username/tagged/:tag', {
    summary: 'Show the posts of a profile with a hashtag',
    readsReplica: 'always',
    params: Type.Object({ username, tag: Type.String() }),
    input: Type.Object({ max_id: Type.Optional(idSchema<'status'>()) }),
    handle: ({ visitor, params: { username: name, tag }, input }) =>
      profileTabPage(visitor, name, {
        tab: { tagged: tag },
        path: `/tagged/${encodeURIComponent(tag)}`,
        maxId: input.max_id,
      }),
  }),

  // The page of a post in GoToSocial, before the server moved.
  pageRoute('GET', '/@:username/statuses/:ulid', {
    summary: 'Redirect to the page of a post',
    params: Type.Object({ username, ulid: Type.String() }),
    async handle({ visitor, params: { username: name, ulid } }) {
      const refusal = limitedFederationRedirect(visitor);
      if (refusal !== undefined) return refusal;
      const status = await findStatusByUri(visitor.app, `${visitor.app.config.baseUrl}/@${name}/statuses/${ulid}`);
      if (status?.local !== true) throw notFound('http.notFound');
      return redirectTo(visitor, `/@${name}/${status.id}`);
    },
  }),

  pageRoute('GET', '/@:username/:id', {
    summary: 'Show the page of a post',
    readsReplica: 'always',
    params: Type.Object({ username, id: idSchema<'status'>() }),
    async handle({ visitor, params }) {
      const document = await negotiateObject(visitor.app, visitor.request, params.username, params.id);
      if (document !== undefined) return document;
      return (
        limitedFederationRedirect(visitor) ??
        (await findShell(visitor)) ??
        postPage(visitor, await loadProfile(visitor, params.username), params.id)
      );
    },
  }),
];

/** With limited federation, redirects visitors to sign in, or to finish setting up their account. */
export function limitedFederationRedirect(visitor: Visitor): HttpResponse | undefined {
  const { session, activeSession, app, request } = visitor;
  if (activeSession !== undefined || !app.config.LIMITED_FEDERATION) return undefined;
  return redirectTo(visitor, withReturnPath(session === undefined ? '/auth/sign_in' : '/auth/setup', request.url));
}

/** Returns the local account of a profile. Throws 404 if there is none, 403 while it is suspended. */
export async function loadProfile({ app }: Pick<Visitor, 'app'>, name: string): Promise<CachedAccount> {
  const account = await findLocalAccount(app, name);
  const body = account && (await loadCachedAccounts(app, [account.id])).get(account.id);
  if (body === undefined || !body.activated) throw notFound('http.notFound');
  // Not 410, which means permanent to search engines and other servers: a suspension can be lifted.
  if (body.suspended) throw forbidden('profile.suspended');
  return body;
}

async function profileTabPage(visitor: Visitor, name: string, view: ProfileView): Promise<HttpResponse> {
  const refusal = limitedFederationRedirect(visitor);
  if (refusal !== undefined) return refusal;
  const shell = wantsFeed(visitor.request) ? undefined : await findShell(visitor);
  if (shell !== undefined) return shell;
  if (name.includes('@')) return remoteProfilePage(visitor, name);
  const body = await loadProfile(visitor, name);
  if (hasFeeds(visitor.app) && wantsFeed(visitor.request)) {
    return accountFeed(visitor.app, visitor.request, body, { tab: view.tab, path: view.path, vary: true });
  }
  return profilePage(visitor, body, view);
}

/** Links to the profile of a remote account. Never redirects: its URL is under foreign control. */
async function remoteProfilePage(visitor: Visitor, handle: string): Promise<HttpResponse> {
  const account = await findAccountByAcct(visitor.app, handle);
  if (account === undefined || account.suspended_at !== null) throw notFound('http.notFound');
  if (account.domain === null) return redirectTo(visitor, `/@${account.username}`);
  return remoteLinkPage(visitor, account.url ?? account.uri);
}
