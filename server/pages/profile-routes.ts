import { Type } from 'typebox';
import { accountBodies, type AccountBody, findAccountByAcct, findLocalAccount } from '../accounts/index.ts';
import { actorAtPage, objectAtPage } from '../federation/index.ts';
import type { Answer } from '../platform/http/answers.ts';
import { forbidden, notFound } from '../platform/http/problems.ts';
import type { Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/ids.ts';
import { elsewhereLink } from './elsewhere.ts';
import { goTo } from './layout.ts';
import { page } from './page-routes.ts';
import { postPage } from './post-page.ts';
import { profilePage, type ProfileView } from './profile-page.ts';
import { withReturn } from './return-to.ts';
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
      return partPage(visitor, params.username, { part: 'posts', path: '', before: input.max_id });
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

/** Redirects visitors of a server with limited federation, unless they are signed in and may use it. */
export function refusedEntry(visitor: Visitor): Answer | undefined {
  const { session, member, app, request } = visitor;
  if (member !== undefined || !app.config.LIMITED_FEDERATION) return undefined;
  return goTo(visitor, withReturn(session === undefined ? '/auth/sign_in' : '/auth/setup', request.url));
}

/** A local account whose profile is shown. Throws 404 if there is none, 403 while it is suspended. */
export async function requireProfile({ app }: Visitor, name: string): Promise<AccountBody> {
  const account = await findLocalAccount(app, name);
  const body = account && (await accountBodies(app, [account.id])).get(account.id);
  if (body === undefined || !body.activated) throw notFound('Not Found');
  // A suspension may be lifted: 410 would tell search engines and other servers that it is for good.
  if (body.suspended) throw forbidden('This account is suspended');
  return body;
}

async function partPage(visitor: Visitor, name: string, view: ProfileView): Promise<Answer> {
  const refusal = refusedEntry(visitor);
  if (refusal !== undefined) return refusal;
  if (name.includes('@')) return elsewherePage(visitor, name);
  return profilePage(visitor, await requireProfile(visitor, name), view);
}

/** The page of somebody from another server stands there: it is linked to, never redirected to. */
async function elsewherePage(visitor: Visitor, handle: string): Promise<Answer> {
  const account = await findAccountByAcct(visitor.app, handle);
  if (account === undefined || account.suspended_at !== null) throw notFound('Not Found');
  if (account.domain === null) return goTo(visitor, `/@${account.username}`);
  return elsewhereLink(visitor, account.url ?? account.uri);
}
