import { Type } from 'typebox';
import { presentAccounts } from '../../accounts/present/index.ts';
import { Account } from '../../accounts/index.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { countUnread } from '../../notifications/index.ts';
import { HttpResponse, joinJsonList, JsonText } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { CredentialAccount, presentCredentialAccount } from '../../relationships/credentials/index.ts';
import { loadWebSettings } from '../../users/settings/index.ts';
import { cookieHeaders } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';
import { loadOtherSessions, signedOutPath, signOutOf, switchAccount } from './browser-accounts.ts';
import { sessionRoute } from './session-route.ts';
import { settingsVersion, webSettings } from './web-routes.ts';

const ActiveAccount = Type.Object({
  account_id: Type.Union([idSchema<'account'>(), Type.Null()], { description: 'Null: the browser is signed out' }),
});

const maxUnread = 100;

/** The accounts in which a browser is signed in. */
export const accountRoutes: readonly Route[] = [
  sessionRoute('GET', '/api/web/session', {
    summary:
      'Show the account that is signed in, the other accounts of the browser, and the settings of the web client',
    response: Type.Object({
      account: CredentialAccount,
      accounts: Type.Array(Account, { description: 'All in which the browser is signed in, the active one first' }),
      settings: webSettings,
      settings_version: settingsVersion,
      locale: Type.String({ description: 'Language of the user' }),
    }),
    async handle({ app, session: { accountId, userId, locale }, visitor }) {
      visitor.renewSession();
      const others = await loadOtherSessions(visitor);
      const ids = [accountId, ...others.map(({ session }) => session.accountId)];
      const [account, accounts, settings] = await Promise.all([
        presentCredentialAccount(app, accountId),
        presentAccounts(app, { accountId }, ids),
        loadWebSettings(app, userId),
      ]);
      const json = new JsonText([
        '{"account":',
        ...account.fragments,
        ',"accounts":',
        ...joinJsonList(accounts).fragments,
        `,"settings":${settings.data.text},"settings_version":${settings.version},"locale":${JSON.stringify(locale)}}`,
      ]);
      return new HttpResponse({ json, headers: cookieHeaders(visitor) });
    },
  }),

  sessionRoute('GET', '/api/web/session/unread_counts', {
    summary: 'Count the unread notifications of each account of the browser, up to 100',
    response: Type.Array(Type.Object({ account_id: idSchema<'account'>(), count: Type.Integer() })),
    async handle({ app, session, visitor }) {
      const others = await loadOtherSessions(visitor);
      const ids = [session.accountId, ...others.map((other) => other.session.accountId)];
      const json = await Promise.all(
        ids.map(async (id) => ({
          account_id: id,
          count: await countUnread(
            app,
            id,
            { types: undefined, excludeTypes: [], fromAccountId: undefined, includeFiltered: false },
            maxUnread,
          ),
        })),
      );
      return new HttpResponse({ json, headers: cookieHeaders(visitor) });
    },
  }),

  sessionRoute('POST', '/api/web/session/switch', {
    summary: 'Make another account of the browser the active one',
    allowInactive: true,
    input: Type.Object({ account_id: idSchema<'account'>() }),
    response: ActiveAccount,
    async handle({ visitor, input: { account_id: accountId } }) {
      if (!(await switchAccount(visitor, accountId))) throw notFound();
      return activeAccount(visitor, accountId);
    },
  }),

  sessionRoute('POST', '/api/web/session/sign_out', {
    summary: 'Sign the browser out of an account, by default the active one; the next account becomes active',
    allowInactive: true,
    input: Type.Object({ account_id: Type.Optional(idSchema<'account'>()) }),
    response: Type.Object({
      ...ActiveAccount.properties,
      next_path: Type.String({
        description: 'Page to open next: where to sign out of a provider, too, or the start page',
      }),
    }),
    async handle({ visitor, input: { account_id: accountId } }) {
      const active = await signOutOf(visitor, accountId);
      if (active === undefined) throw notFound();
      const path = active === null ? signedOutPath(visitor) : '/';
      return new HttpResponse({ json: { account_id: active, next_path: path }, headers: cookieHeaders(visitor) });
    },
  }),
];

const activeAccount = (visitor: Visitor, accountId: string | null): HttpResponse =>
  new HttpResponse({ json: { account_id: accountId }, headers: cookieHeaders(visitor) });
