import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { idFromDate, type AccountId, type StatusId } from '../platform/ids.ts';
import { filterVisibleStatuses } from '../statuses/read/index.ts';
import { findCandidates, type CandidateSearch } from './find-candidates.ts';
import type { Direction, IdRange } from './id-windows.ts';
import { filterMatching, type TextQuery } from './match-document.ts';
import { parseQuery, type StatusQuery } from './parse-query.ts';
import { buildConditions, resolveAuthors } from './status-conditions.ts';
import { buildTermFilter } from './term-filter.ts';
import { loadTimeRange } from './time-range.ts';
import { loadPhrases } from './word-forms.ts';

/** One page of a search for statuses, newest first. */
export interface StatusSearch {
  readonly text: string;
  /** Undefined for anonymous viewers, who find nothing. An invalid query still throws. */
  readonly viewerId: AccountId | undefined;
  /** Only of this account. */
  readonly accountId: AccountId | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly maxId: string | undefined;
  readonly minId: string | undefined;
  readonly signal: AbortSignal;
}

/** The visible statuses found, and the ids at which the next pages begin. */
export interface FoundStatuses {
  readonly ids: readonly StatusId[];
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly more: boolean;
}

const nothing: FoundStatuses = { ids: [], first: undefined, last: undefined, more: false };

/** Index entries that one statement reads: few at first, because most searches need no more. */
const entryCounts = [200, 2_000, 2_000, 4_000, 8_000];
/** Statuses of a library that one statement reads. */
const libraryEntryCounts = [4_000, 4_000, 4_000, 4_000, 4_000];
/** Statuses that are loaded and compared together. */
const minBatch = 40;
const maxBatch = 200;
/** Later there are no further statements: the next page continues there. */
const maxWalkMs = 2_000;

/**
 * Finds statuses by words and operators: those that the viewer wrote, is mentioned in, favourited, bookmarked, reblogged or
 * voted in, and public ones of indexable authors. Reads a bounded part of the index, so a page may be short and still have
 * a next one. Throws 404 for an unknown account in `from:`, 422 for an invalid query.
 */
export async function searchStatuses(app: App, search: StatusSearch): Promise<FoundStatuses> {
  const { viewerId, limit } = search;
  const query = parseQuery(search.text);
  const authors = await resolveAuthors(app, query.from, viewerId);
  if (viewerId === undefined || limit === 0) return nothing;
  const phrases = await loadPhrases(app, viewerId, query);
  const wanted = search.accountId === undefined ? authors.wanted : [search.accountId];
  const filter = buildTermFilter(query, phrases, { ...authors, wanted });
  const { conditions: timeConditions, range } = await loadTimeRange(app, viewerId, query);
  const conditions = [
    ...buildConditions(query, authors),
    ...timeConditions,
    ...(search.accountId === undefined ? [] : [sql`s.account_id = ${search.accountId}::bigint`]),
  ];
  if (conditions.length === 0 && isEmptyQuery(query, phrases.all.length + phrases.none.length)) return nothing;
  const direction = search.minId === undefined ? 'down' : 'up';
  const walk = {
    filter,
    viewerId,
    within: query.within,
    conditions,
    range: narrowRange(app, range, search),
    direction,
    entryCounts: query.within === 'library' ? libraryEntryCounts : entryCounts,
  } as const;
  const found = await walkIndex(app, walk, { ...search, text: { ...phrases, tags: query.tags } });
  return toPage(found, search, direction);
}

const isEmptyQuery = ({ tags, within }: StatusQuery, phraseCount: number): boolean =>
  phraseCount === 0 && tags.wanted.length + tags.unwanted.length === 0 && within === 'all';

/** Clocks of servers differ, and posts get ids from them. */
const futureMs = 86_400_000;

function narrowRange(app: App, { below, above }: Partial<IdRange>, { maxId, minId }: StatusSearch): IdRange {
  const end = idFromDate(new Date(app.clock.now().getTime() + futureMs));
  const smallest = [end, below, maxId].filter((id) => id !== undefined).map(BigInt);
  const largest = ['0', above, minId].filter((id) => id !== undefined).map(BigInt);
  return {
    below: String(smallest.reduce((a, b) => (a < b ? a : b))),
    above: String(largest.reduce((a, b) => (a > b ? a : b))),
  };
}

interface Walk extends Omit<CandidateSearch, 'maxEntries' | 'limit' | 'signal'> {
  readonly entryCounts: readonly number[];
}

interface Wanted {
  readonly text: TextQuery;
  readonly limit: number;
  readonly offset: number;
  readonly signal: AbortSignal;
}

interface Found {
  /** Visible and matching, in the direction of the walk, after the offset; one more than wanted if there is one. */
  readonly ids: readonly StatusId[];
  /** The last id that was read; undefined at the end of the range. */
  readonly last: StatusId | undefined;
}

/** Reads the index until there are enough results, the range is at its end, or enough was read. */
async function walkIndex(
  app: App,
  { entryCounts, ...walk }: Walk,
  { text, limit, offset, signal }: Wanted,
): Promise<Found> {
  const count = offset + limit + 1;
  const ids: StatusId[] = [];
  let range = walk.range;
  let last: StatusId | undefined;
  const end = performance.now() + maxWalkMs;
  for (const maxEntries of entryCounts) {
    const batch = Math.min(Math.max(count - ids.length, minBatch), maxBatch);
    const candidates = await findCandidates(app, { ...walk, range, maxEntries, limit: batch, signal });
    const matching = await filterMatching(app, candidates.ids, text);
    ids.push(...(await filterVisibleStatuses(app, walk.viewerId, matching, 'search')));
    last = candidates.last;
    if (last === undefined || ids.length >= count || performance.now() > end) break;
    range = walk.direction === 'down' ? { ...range, below: last } : { ...range, above: last };
  }
  return { ids: ids.slice(offset, count), last };
}

function toPage({ ids, last }: Found, { limit, minId }: StatusSearch, direction: Direction): FoundStatuses {
  const page = ids.slice(0, limit);
  const isFull = ids.length > limit;
  const end = isFull ? page.at(-1) : last;
  if (direction === 'down') return { ids: page, first: page[0], last: end, more: isFull || last !== undefined };
  const newestFirst = page.toReversed();
  return {
    ids: newestFirst,
    first: end ?? newestFirst[0] ?? minId,
    last: newestFirst.at(-1),
    more: newestFirst.length > 0,
  };
}
