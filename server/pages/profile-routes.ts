import { Type } from 'typebox';
import { accountBodies, type AccountBody, findAccountByAcct, findLocalAccount } from '../accounts/index.ts';
import { actorAtPage, objectAtPage } from '../federation/index.ts';
import type { Answer } from '../platform/http/answers.ts';
import { gone, notFound } from '../platform/http/problems.ts';
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

async function partPage(visitor: Visitor, name: string, view: ProfileView): Promise<Answer> {
  if (name.includes('@')) return elsewherePage(visitor, name);
  return refusedEntry(visitor) ?? profilePage(visitor, await requireProfile(visitor, name), view);
}

/** The page of somebody from another server stands there: it is linked to, never redirected to. */
async function elsewherePage(visitor: Visitor, handle: string): Promise<Answer> {
  const account = await findAccountByAcct(visitor.app, handle);
  if (account === undefined || account.suspended_at !== null) throw notFound('Not Found');
  if (account.domain === null) return goTo(visitor, `/@${account.username}`);
  return elsewhereLink(visitor, account.url ?? account.uri);
}
