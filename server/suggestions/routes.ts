import { Type } from 'typebox';
import { Account } from '../accounts/index.ts';
import { loadCachedAccounts } from '../accounts/present/index.ts';
import { queueRecommendations } from '../auxiliary-services/index.ts';
import type { App } from '../platform/app.ts';
import { asciiJson, HttpResponse, joinJsonList, JsonText } from '../platform/http/http-response.ts';
import { clampLimit, clampOffset } from '../platform/http/pages.ts';
import { del, get, type CurrentUser, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { presentAccountsFor } from '../relationships/read/index.ts';
import { dismissSuggestion } from './dismiss-suggestion.ts';
import { findSuggestions, type FoundSuggestion } from './find-suggestions.ts';
import { Suggestion } from './schema.ts';

const limits = { defaultLimit: 40, maxLimit: 80 };
const readAccess = { access: 'user', scope: 'read|read:accounts' } as const;
const input = Type.Object({
  limit: Type.Optional(Type.Integer({ description: 'Default 40, at most 80' })),
  offset: Type.Optional(Type.Integer()),
});

export const routes: readonly Route[] = [
  get('/api/v2/suggestions', {
    summary: 'List accounts that the viewer may want to follow',
    hasEtag: true,
    hasRefresh: true,
    ...readAccess,
    input,
    response: Type.Array(Suggestion),
    async handle({ app, viewer, input }) {
      const page = await loadPage(app, viewer, input);
      const json = joinJsonList(page.map(({ found, account }) => renderSuggestion(found, account)));
      const headers = clampOffset(input.offset) === 0 ? await queueRecommendations(app, viewer.accountId) : {};
      return 'mastodon-async-refresh' in headers ? new HttpResponse({ json, headers }) : json;
    },
  }),

  get('/api/v1/suggestions', {
    summary: 'List accounts that the viewer may want to follow, without the reasons',
    hasEtag: true,
    ...readAccess,
    deprecatedSince: '2021-05-16',
    input,
    response: Type.Array(Account),
    handle: async ({ app, viewer, input }) =>
      joinJsonList((await loadPage(app, viewer, input)).map(({ account }) => account)),
  }),

  del('/api/v1/suggestions/:account_id', {
    summary: 'Stop suggesting an account',
    access: 'user',
    scope: 'write|write:accounts',
    params: Type.Object({ account_id: idSchema<'account'>() }),
    response: Type.Object({}),
    async handle({ app, viewer, params }) {
      await dismissSuggestion(app, viewer.accountId, params.account_id);
      return {};
    },
  }),
];

async function loadPage(
  app: App,
  viewer: CurrentUser,
  { limit, offset }: { readonly limit?: number; readonly offset?: number },
): Promise<{ readonly found: FoundSuggestion; readonly account: JsonText<Account> }[]> {
  const start = clampOffset(offset);
  const page = (await findSuggestions(app, viewer.accountId)).slice(start, start + clampLimit(limit, limits));
  const cached = await loadCachedAccounts(
    app,
    page.map(({ id }) => id),
  );
  const shown = page.filter(({ id }) => cached.get(id)?.activated === true);
  const accounts = await presentAccountsFor(
    app,
    viewer,
    shown.map(({ id }) => id),
  );
  return shown.flatMap((found, at) => {
    const account = accounts[at];
    return account === undefined ? [] : [{ found, account }];
  });
}

/** The names of the reasons in the API, which has none for the viewer's own interactions. */
const sourceNames = {
  staff: { source: 'staff', sources: 'featured' },
  interactions: { source: 'past_interactions', sources: 'most_interactions' },
  friends_of_friends: { source: 'past_interactions', sources: 'friends_of_friends' },
  recommended: { source: 'past_interactions', sources: 'similar_to_recently_followed' },
  most_followed: { source: 'global', sources: 'most_followed' },
  most_interactions: { source: 'global', sources: 'most_interactions' },
} as const;

function renderSuggestion({ reasons }: FoundSuggestion, account: JsonText<Account>): JsonText<Suggestion> {
  const [first = 'most_followed'] = reasons;
  const { source } = sourceNames[first];
  const sources = [...new Set(reasons.map((reason) => sourceNames[reason].sources))];
  return new JsonText([`${asciiJson({ source, sources }).slice(0, -1)},"account":`, ...account.fragments, '}']);
}
