import { Type } from 'typebox';
import { Account, requireAccount } from '../accounts/index.ts';
import { presentAccountsFor } from './present-accounts-for.ts';
import type { App } from '../platform/app.ts';
import { HttpResponse, joinJsonList } from '../platform/http/http-response.ts';
import { pageInput, parsePage, type Page } from '../platform/http/pages.ts';
import { get, post, type RequestContext, type Route, type CurrentUser } from '../platform/http/routes.ts';
import { idSchema, type AccountId } from '../platform/ids.ts';
import { respondWithAccounts, presentRelationship } from './responses.ts';
import { endorseAccount, unendorseAccount } from './endorse-account.ts';
import { listEndorsements, type ListedAccount } from './list-relations.ts';
import { listEndorsedBy } from './list-network.ts';
import { Relationship } from './schema.ts';

const params = Type.Object({ id: idSchema<'account'>() });
const limits = { defaultLimit: 40, maxLimit: 80 };
const input = Type.Object(pageInput(limits));

/** `pin` and `unpin` are the names of before 2025. */
function endorsementRoute(
  verb: 'endorse' | 'unendorse' | 'pin' | 'unpin',
  summary: string,
  act: (app: App, accountId: AccountId, targetId: AccountId) => Promise<void>,
): Route {
  return post(`/api/v1/accounts/:id/${verb}`, {
    summary,
    access: 'user',
    scope: 'write|write:accounts',
    params,
    response: Relationship,
    ...(verb.endsWith('pin') && { deprecatedSince: '2025-02-20' }),
    handle: async ({ app, viewer, params: { id } }) => {
      await requireAccount(app, id);
      await act(app, viewer.accountId, id);
      return presentRelationship(app, viewer, id);
    },
  });
}

export const endorsementRoutes: Route[] = [
  endorsementRoute('endorse', 'Recommends an account on the profile of the account of the token', endorseAccount),
  endorsementRoute('unendorse', 'Recommends an account no longer', unendorseAccount),
  endorsementRoute('pin', 'Recommends an account: the old name of endorse', endorseAccount),
  endorsementRoute('unpin', 'Recommends an account no longer: the old name of unendorse', unendorseAccount),

  get('/api/v1/endorsements', {
    summary: 'Lists whom the account of the token recommends',
    access: 'user',
    scope: 'read|read:accounts',
    input,
    response: Type.Array(Account),
    handle: ({ app, viewer, input, request }) =>
      respondWithEndorsements(app, { request, viewer }, input, (page) => listEndorsements(app, viewer.accountId, page)),
  }),

  get('/api/v1/accounts/:id/endorsements', {
    summary: 'Lists whom an account recommends',
    access: 'anyone',
    scope: 'read|read:accounts',
    params,
    input,
    response: Type.Array(Account),
    handle: ({ app, viewer, params: { id }, input, request }) =>
      respondWithEndorsements(app, { request, viewer }, input, (page) =>
        listEndorsedBy(app, viewer?.accountId, id, page),
      ),
  }),
];

/** More than anybody may follow, and so recommend, but for the few with very many followers. */
const maxUnpagedEndorsements = 10_000;

/** A page of them; all in one, without links, with limit=0 (reference/endpoints.tsv). */
async function respondWithEndorsements(
  app: App,
  { request, viewer }: { request: RequestContext; viewer: CurrentUser | undefined },
  input: { limit?: number },
  list: (page: Page) => Promise<ListedAccount[]>,
): Promise<HttpResponse> {
  if (input.limit !== 0) {
    const page = parsePage(input, limits);
    return respondWithAccounts(app, request, page, { viewer, rows: await list(page) });
  }
  const rows = await list({ limit: maxUnpagedEndorsements, maxId: undefined, sinceId: undefined, minId: undefined });
  const accounts = await presentAccountsFor(
    app,
    viewer,
    rows.map(({ accountId }) => accountId),
  );
  return new HttpResponse({ json: joinJsonList(accounts) });
}
