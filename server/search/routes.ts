import { Type } from 'typebox';
import { Account } from '../accounts/index.ts';
import { queueAccountSearch } from '../auxiliary-services/index.ts';
import type { App } from '../platform/app.ts';
import { HttpResponse, joinJsonList, type JsonText } from '../platform/http/http-response.ts';
import { clampLimit, paginated, paginatedByOffset, maxOffset } from '../platform/http/pages.ts';
import { badRequest, notFound, remoteUnavailable, unauthorized } from '../platform/http/http-errors.ts';
import { get, post, type CurrentUser, type RequestContext } from '../platform/http/routes.ts';
import { filterIdSchema, idSchema } from '../platform/id-schema.ts';
import { addressBlock } from '../platform/rate-limits/address-block.ts';
import { presentRelationships, presentAccountsFor } from '../relationships/read/index.ts';
import { Relationship } from '../relationships/index.ts';
import { touchUser } from '../users/index.ts';
import { followByHandle } from './follow-by-handle.ts';
import type { Searcher } from './run-search.ts';
import { Search } from './schema.ts';
import {
  findAccounts,
  type SearchResults,
  presentSearch,
  search,
  type SearchRequest,
  type SearchType,
} from './search.ts';
import { isOneOf } from '../platform/known-names.ts';

const maxResults = 40;
const maxAccounts = 80;
const types: readonly SearchType[] = ['accounts', 'statuses', 'hashtags'];

const input = Type.Object({
  q: Type.String({
    description:
      'Words, "phrases", #hashtags, -without, and for posts the operators from:, has:, is:, language:, in:, before:, after:, during:',
  }),
  type: Type.Optional(Type.String({ description: 'accounts, statuses or hashtags; required for paging' })),
  resolve: Type.Optional(Type.Boolean({ description: 'Fetch a remote address or handle' })),
  following: Type.Optional(Type.Boolean({ description: 'Only accounts that you follow' })),
  account_id: Type.Optional(filterIdSchema<'account'>()),
  exclude_unreviewed: Type.Optional(
    Type.Boolean({ description: 'Exclude hashtags that moderators have not reviewed' }),
  ),
  max_id: Type.Optional(idSchema<'status'>()),
  min_id: Type.Optional(idSchema<'status'>()),
  limit: Type.Optional(Type.Integer()),
  offset: Type.Optional(Type.Integer()),
});

export const routes = [
  get('/api/v2/search', {
    summary: 'Search accounts, posts and hashtags',
    access: 'anyone',
    readsReplica: 'unless resolving',
    scope: 'read|read:search',
    input,
    response: Search,
    hasRefresh: true,
    async handle({ app, viewer, input, request }) {
      if (viewer === undefined) assertAnonymousAllowed(input);
      else touchUser(app, viewer);
      const paged = input.type !== undefined;
      const offset = parseCount(input.offset ?? 0, maxOffset);
      const asked: SearchRequest = {
        text: parseText(input.q),
        viewer,
        searcher: searcherOf(viewer, request),
        type: parseType(input.type),
        resolve: input.resolve ?? false,
        following: viewer !== undefined && (input.following ?? false),
        onlyReviewed: input.exclude_unreviewed ?? false,
        accountId: input.account_id,
        limit: parseCount(input.limit ?? app.config.SEARCH_RESULTS_DEFAULT, maxResults),
        offset: paged ? offset : 0,
        maxId: paged ? input.max_id : undefined,
        minId: paged ? input.min_id : undefined,
      };
      const found = await search(app, asked);
      const json = await presentSearch(app, viewer, found);
      const headers = asksProviders(asked) ? await queueAccountSearch(app, asked.text) : {};
      return withPaginationLinks(app, request, { asked, found, json, headers });
    },
  }),

  get('/api/v1/accounts/search', {
    summary: 'Search accounts',
    access: 'user',
    readsReplica: 'unless resolving',
    scope: 'read|read:accounts',
    input: Type.Pick(input, ['q', 'resolve', 'following', 'limit', 'offset']),
    response: Type.Array(Account),
    async handle({ app, viewer, input, request }) {
      touchUser(app, viewer);
      const { ids, unreachableHost } = await findAccounts(app, {
        text: parseText(input.q),
        viewer,
        searcher: searcherOf(viewer, request),
        resolve: input.resolve ?? false,
        following: input.following ?? false,
        limit: clampLimit(input.limit, { defaultLimit: maxResults, maxLimit: maxAccounts }),
        offset: parseCount(input.offset ?? 0, maxOffset),
      });
      // Unlike a search for everything, a list cannot name the host.
      if (unreachableHost !== undefined && ids.length === 0) throw remoteUnavailable();
      return joinJsonList(await presentAccountsFor(app, viewer, ids));
    },
  }),

  post('/api/v1/follows', {
    summary: 'Follow the account of a handle',
    access: 'user',
    scope: 'follow|write|write:follows',
    input: Type.Object({
      uri: Type.String({ description: 'user@domain' }),
      reblogs: Type.Optional(Type.Boolean()),
      notify: Type.Optional(Type.Boolean()),
      languages: Type.Optional(Type.Array(Type.String())),
    }),
    response: Relationship,
    rateLimit: 'follows',
    async handle({ app, viewer, input: { uri, ...options } }) {
      const targetId = await followByHandle(app, viewer.accountId, uri, options);
      const [relationship] = await presentRelationships(app, viewer.accountId, [targetId]);
      if (relationship === undefined) throw notFound();
      return relationship;
    },
  }),
];

const searcherOf = (viewer: CurrentUser | undefined, { ip, signal }: RequestContext): Searcher => ({
  owner: viewer?.accountId ?? addressBlock(ip),
  signal,
});

function assertAnonymousAllowed({ resolve, offset }: { resolve?: boolean; offset?: number }): void {
  if (offset !== undefined) {
    throw unauthorized('search.pagingNeedsSignIn');
  }
  if (resolve === true) {
    throw unauthorized('search.resolvingNeedsSignIn');
  }
}

function parseText(q: string): string {
  const text = q.trim();
  if (text === '') throw badRequest('http.missingParameter', { name: 'q' });
  return text;
}

/** Accepts the plural of Mastodon's API and the singular of spec.md. Any other type finds nothing. */
function parseType(type: string | undefined): SearchType | 'none' | undefined {
  if (type === undefined || type === '') return undefined;
  const plural: Record<string, SearchType> = { account: 'accounts', status: 'statuses', hashtag: 'hashtags' };
  const name = plural[type] ?? type;
  return isOneOf(types, name) ? name : 'none';
}

function parseCount(value: number, most: number): number {
  if (value < 0) throw badRequest('search.positivePaging');
  return Math.min(value, most);
}

interface PresentedSearch {
  readonly asked: SearchRequest;
  readonly found: SearchResults;
  readonly json: JsonText<Search>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether a search for accounts may cause requests to others, as clients ask for when a user has finished typing. */
const asksProviders = ({ viewer, resolve, type, following, offset, limit }: SearchRequest): boolean =>
  viewer !== undefined &&
  resolve &&
  (type === undefined || type === 'accounts') &&
  !following &&
  offset === 0 &&
  limit > 0;

/** Only a search for one type has pages: statuses by id, others by offset, which anonymous viewers may not use. */
function withPaginationLinks(
  app: App,
  request: RequestContext,
  { asked, found, json, headers }: PresentedSearch,
): HttpResponse | JsonText<Search> {
  const { type, viewer, limit, offset } = asked;
  if (type === undefined || type === 'none' || viewer === undefined || limit === 0)
    return 'mastodon-async-refresh' in headers ? new HttpResponse({ json, headers }) : json;
  if (type === 'statuses') return paginated(app, request, { json, ...found.statuses });
  return paginatedByOffset(app, request, { json, offset, limit, more: found[type].length === limit, headers });
}
