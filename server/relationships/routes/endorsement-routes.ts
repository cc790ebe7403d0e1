import { Type } from 'typebox';
import { Account } from '../../accounts/index.ts';
import { requireAccount } from '../../accounts/find/index.ts';
import { presentAccountsFor } from '../read/present-accounts-for.ts';
import type { App } from '../../platform/app.ts';
import { HttpResponse, joinJsonList } from '../../platform/http/http-response.ts';
import { pageInput, parsePage, type Page } from '../../platform/http/pages.ts';
import { get, post, type RequestContext, type Route, type CurrentUser } from '../../platform/http/routes.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { respondWithAccounts, presentRelationship } from './responses.ts';
import { endorseAccount, unendorseAccount } from '../follow/endorse-account.ts';
import { listEndorsements, type ListedAccount } from '../read/list-relations.ts';
import { listEndorsedBy } from '../read/list-network.ts';
import { Relationship } from '../schema.ts';

const params = Type.Object({ id: idSchema<'account'>() });
const limits = { defaultLimit: 40, maxLimit: 80 };
const input = Type.Object(pageInput(limits));

function endorsementRoute(
  path: string,
  { summary, deprecatedSince }: { summary: string; deprecatedSince?: string },
  act: (app: App, accountId: AccountId, targetId: AccountId) => Promise<void>,
): Route {
  return post(path, {
    summary,
    access: 'user',
    scope: 'write|write:accounts',
    params,
    response: Relationship,
    ...(deprecatedSince !== undefined && { deprecatedSince }),
    handle: async ({ app, viewer, params: { id } }) => {
      await requireAccount(app, id);
      await act(app, viewer.accountId, id);
      return presentRelationship(app, viewer, id);
    },
  });
}

/** When `pin` and `unpin` were renamed. */
const renamedOn = '2025-02-20';

export const endorsementRoutes: Route[] = [
  endorsementRoute('/api/v1/accounts/:id/endorse', { summary: 'Feature an account on your profile' }, endorseAccount),
  endorsementRoute('/api/v1/accounts/:id/unendorse', { summary: 'Stop featuring an account' }, unendorseAccount),
  endorsementRoute(
    '/api/v1/accounts/:id/pin',
    { summary: 'Feature an account: former name of endorse', deprecatedSince: renamedOn },
    endorseAccount,
  ),
  endorsementRoute(
    '/api/v1/accounts/:id/unpin',
    { summary: 'Stop featuring an account: former name of unendorse', deprecatedSince: renamedOn },
    unendorseAccount,
  ),

  get('/api/v1/endorsements', {
    summary: 'List the accounts that you endorse',
    access: 'user',
    scope: 'read|read:accounts',
    input,
    response: Type.Array(Account),
    handle: ({ app, viewer, input, request }) =>
      respondWithEndorsements(app, { request, viewer }, input, (page) => listEndorsements(app, viewer.accountId, page)),
  }),

  get('/api/v1/accounts/:id/endorsements', {
    summary: 'List the accounts that an account endorses',
    access: 'anyone',
    readsReplica: 'always',
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

/** More than most accounts may follow, and so endorse. */
const maxUnpagedEndorsements = 10_000;

/** Returns a page of endorsements; with limit=0 all of them, without links (reference/endpoints.tsv). */
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
