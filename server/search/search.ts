import { presentAccountsFor } from '../relationships/read/index.ts';
import { presentCollections, requireVisibleCollection } from '../collections/read/index.ts';
import { listProviderResults } from '../auxiliary-services/index.ts';
import { resolveUrl, type ResolvedUrl } from '../federation/index.ts';
import type { App } from '../platform/app.ts';
import { joinJsonList, JsonText } from '../platform/http/http-response.ts';
import { HttpError } from '../platform/http/http-errors.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import type { AccountId, CollectionId, StatusId } from '../platform/ids.ts';
import { filterVisibleStatuses, presentStatuses } from '../statuses/read/index.ts';
import { presentTags } from '../hashtags/index.ts';
import { isHttpUrl, resolveFrom, resolveHandle } from './resolve-handle.ts';
import { runSearch, type Searcher } from './run-search.ts';
import type { Search } from './schema.ts';
import { searchAccounts } from './search-accounts.ts';
import { type FoundStatuses, searchStatuses } from './search-statuses.ts';
import { searchTags } from './search-tags.ts';

export type SearchType = 'accounts' | 'statuses' | 'hashtags';

/** A search over all types, or over one type with paging. */
export interface SearchRequest {
  readonly text: string;
  readonly viewer: CurrentUser | undefined;
  readonly searcher: Searcher;
  /** Undefined: all types. `none`: an unknown type, which finds nothing. */
  readonly type: SearchType | 'none' | undefined;
  readonly resolve: boolean;
  readonly following: boolean;
  readonly onlyReviewed: boolean;
  readonly accountId: AccountId | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly maxId: string | undefined;
  readonly minId: string | undefined;
}

/** Ids and names of the results. */
export interface SearchResults {
  readonly accounts: readonly AccountId[];
  readonly statuses: FoundStatuses;
  readonly hashtags: readonly string[];
  /** Only found by address. */
  readonly collections: readonly CollectionId[];
  /** The host of the address or handle, if it did not answer. */
  readonly unreachableHost?: string;
}

type AccountRequest = Pick<
  SearchRequest,
  'text' | 'viewer' | 'searcher' | 'resolve' | 'following' | 'limit' | 'offset'
>;

/** Accounts found by name or handle. */
export type FoundAccounts = { readonly ids: readonly AccountId[] } & Pick<SearchResults, 'unreachableHost'>;

/** With fewer characters, anonymous viewers find only exact matches (SRC-04). */
const minAnonymousCharacters = 5;

const noStatuses: FoundStatuses = { ids: [], first: undefined, last: undefined, more: false };
const nothing: SearchResults = { accounts: [], statuses: noStatuses, hashtags: [], collections: [] };

/**
 * Searches accounts, statuses and hashtags (SRC-01 to SRC-04). With `resolve`, fetches a remote address or handle; an
 * address finds exactly the object at it. If its host does not answer, searches what is stored, and names the host.
 */
export async function search(app: App, request: SearchRequest): Promise<SearchResults> {
  const { text } = request;
  if (!request.resolve || !isHttpUrl(text)) return searchStored(app, request);
  if (request.offset > 0 || request.limit === 0) return nothing;
  const resolved = await resolveFrom(new URL(text).host, () => resolveUrl(app, text));
  if ('found' in resolved) return filterResolved(app, request, resolved.found);
  return { ...(await searchStored(app, { ...request, resolve: false })), ...resolved };
}

async function searchStored(app: App, request: SearchRequest): Promise<SearchResults> {
  const { text, type } = request;
  const failed = new AbortController();
  // A search of one type has no other parts to abort.
  const searcher =
    type === undefined
      ? { ...request.searcher, signal: AbortSignal.any([request.searcher.signal, failed.signal]) }
      : request.searcher;
  const wants = (wanted: SearchType): boolean => type === undefined || type === wanted;
  const [accounts, statuses, hashtags] = await Promise.all([
    wants('accounts') && !text.startsWith('#') ? findAccounts(app, { ...request, searcher }) : { ids: [] },
    wants('statuses')
      ? runSearch(app, searcher, (signal) =>
          searchStatuses(app, { ...request, viewerId: request.viewer?.accountId, signal }),
        )
      : noStatuses,
    wants('hashtags') && !text.includes('@')
      ? runSearch(app, searcher, (signal) =>
          searchTags(app, { ...request, viewerId: request.viewer?.accountId, exact: isExact(request), signal }),
        )
      : [],
  ]).catch((error: unknown) => {
    // Nobody waits for the other parts.
    failed.abort(error);
    throw error;
  });
  const { ids, ...unreachable } = accounts;
  return { accounts: ids, statuses, hashtags, collections: [], ...unreachable };
}

/** Presents search results as the Search entity. */
export async function presentSearch(
  app: App,
  viewer: CurrentUser | undefined,
  { accounts, statuses, hashtags, collections, unreachableHost }: SearchResults,
): Promise<JsonText<Search>> {
  const [presentedAccounts, presentedStatuses, presentedTags, presentedCollections] = await Promise.all([
    presentAccountsFor(app, viewer, accounts),
    presentStatuses(app, viewer, statuses.ids),
    presentTags(app, viewer, hashtags),
    presentCollections(app, viewer, collections),
  ]);
  return new JsonText(
    `{"accounts":${joinJsonList(presentedAccounts).text},"statuses":${joinJsonList(presentedStatuses).text},` +
      `"hashtags":${JSON.stringify(presentedTags)},"collections":${JSON.stringify(presentedCollections)}` +
      (unreachableHost === undefined ? '}' : `,"unreachable_host":${JSON.stringify(unreachableHost)}}`),
  );
}

/**
 * Finds accounts by name or handle. With `resolve`, fetches an unknown remote handle, and adds what service providers found
 * for the text.
 */
export async function findAccounts(app: App, request: AccountRequest): Promise<FoundAccounts> {
  const found = await findByName(app, request);
  const { viewer, text, limit } = request;
  if (!request.resolve || request.following || request.offset > 0 || viewer === undefined || found.ids.length >= limit)
    return found;
  const further = await listProviderResults(app, viewer.accountId, text);
  return { ...found, ids: [...new Set([...found.ids, ...further])].slice(0, limit) };
}

async function findByName(app: App, request: AccountRequest): Promise<FoundAccounts> {
  const { text, viewer, searcher, limit } = request;
  const resolved = request.resolve && request.offset === 0 ? await resolveHandle(app, text) : { found: undefined };
  const ids = await runSearch(app, searcher, (signal) =>
    searchAccounts(app, { ...request, viewerId: viewer?.accountId, exact: isExact(request), signal }),
  );
  if ('unreachableHost' in resolved) return { ids, ...resolved };
  const { found } = resolved;
  if (found === undefined || request.following || ids.includes(found)) return { ids };
  return { ids: [found, ...ids].slice(0, limit) };
}

/** The results of a search for the address of an object: nothing if it is not of the wanted type, or invisible. */
async function filterResolved(
  app: App,
  { viewer, type }: SearchRequest,
  resolved: ResolvedUrl | undefined,
): Promise<SearchResults> {
  if (resolved === undefined) return nothing;
  if ('accountId' in resolved) {
    return type === undefined || type === 'accounts' ? { ...nothing, accounts: [resolved.accountId] } : nothing;
  }
  if ('collectionId' in resolved) {
    if (type !== undefined) return nothing;
    return { ...nothing, collections: await filterResolvedCollection(app, viewer, resolved.collectionId) };
  }
  if (type !== undefined && type !== 'statuses') return nothing;
  return { ...nothing, statuses: { ...noStatuses, ids: await filterResolvedStatus(app, viewer, resolved.statusId) } };
}

/** Filters a status found by address: the viewer's mutes and blocks do not hide it, but its visibility does. */
function filterResolvedStatus(app: App, viewer: CurrentUser | undefined, id: StatusId): Promise<StatusId[]> {
  return filterVisibleStatuses(app, viewer?.accountId, [id], 'saved');
}

/** Filters a collection found by address: hidden if its owner blocks the viewer. */
async function filterResolvedCollection(
  app: App,
  viewer: CurrentUser | undefined,
  id: CollectionId,
): Promise<CollectionId[]> {
  try {
    return [(await requireVisibleCollection(app, viewer?.accountId, id)).id];
  } catch (error) {
    if (error instanceof HttpError) return [];
    throw error;
  }
}

const isExact = ({ text, viewer }: Pick<SearchRequest, 'text' | 'viewer'>): boolean =>
  viewer === undefined && Array.from(text.replace(/^[#@]/, '')).length < minAnonymousCharacters;
