import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery, type Columns } from '../../platform/database/batched-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { compareIds, type AccountId, type ListId, type StatusId } from '../../platform/ids.ts';
import { touchFeed } from '../feeds/build-feed.ts';
import { feedTableRefs, feedTables, parseEntries, type FeedRef, type FeedState } from '../feeds/feed-tables.ts';
import { maxId, minId } from '../id-bounds.ts';
import { type CandidateBatch, type Cursor } from './page-filler.ts';
import { loadFromFollowGraph } from '../graph/follow-graph.ts';
import { hideRepeats, repeatDistance, type FeedEntry } from './hide-repeats.ts';
import { loadFromListGraph } from '../graph/list-graph.ts';
import { listFollowedMergedAuthors } from '../feeds/merged-authors.ts';

type Direction = 'asc' | 'desc';

/** Entries loaded beyond a page, so that a few hidden ones do not cost another query. */
const extraEntries = 4;

/**
 * Returns the ids of the next entries of a feed of `ownerId`, enough for a page of `limit`, without reblogs of what was
 * shown shortly before. Throws 404 if the list does not belong to `ownerId`.
 */
export async function listFeedIds(
  app: App,
  feed: FeedRef & { readonly ownerId: AccountId },
  { direction, bound }: Cursor<StatusId>,
  limit: number,
): Promise<CandidateBatch<StatusId>> {
  const count = limit + extraEntries;
  return direction === 'desc' ? listOlderIds(app, feed, bound, count) : listNewerIds(app, feed, bound, count);
}

type OwnedFeed = Parameters<typeof listFeedIds>[1];

async function listOlderIds(
  app: App,
  feed: OwnedFeed,
  before: StatusId,
  count: number,
): Promise<CandidateBatch<StatusId>> {
  const requested = count + repeatDistance;
  const entries = await loadOlderEntries(app, feed, before, requested);
  if (entries.length < requested) return { ids: hideRepeats(entries, entries.length), next: undefined };
  return { ids: hideRepeats(entries, count), next: entries[count - 1]?.id };
}

async function listNewerIds(
  app: App,
  feed: OwnedFeed,
  after: StatusId,
  count: number,
): Promise<CandidateBatch<StatusId>> {
  const entries = (await loadNewerEntries(app, feed, after, count)).toReversed();
  const next = entries.length === count ? entries[0]?.id : undefined;
  const hasReblogs = entries.some(({ reblogOfId }) => reblogOfId !== undefined);
  const earlier = hasReblogs ? await loadOlderEntries(app, feed, incrementId(after), repeatDistance) : [];
  return { ids: hideRepeats([...entries, ...earlier], entries.length).toReversed(), next };
}

/** Returns entries below `before`, newest first; fewer than `count` only where the feed ends. */
async function loadOlderEntries(app: App, feed: OwnedFeed, before: StatusId, count: number): Promise<FeedEntry[]> {
  const stored = await findStoredEntries(app, feed, 'desc', { bound: before, count });
  await touchFeed(app, feed, stored);
  if (stored === undefined || stored.completeFrom === maxId) {
    return loadFromGraph(app, feed, 'desc', { after: minId, before, count });
  }
  const { completeFrom } = stored;
  const merged = await loadMergedEntries(app, feed, 'desc', { after: decrementId(completeFrom), before, count });
  const entries = mergeEntries(stored.entries, merged, 'desc').slice(0, count);
  if (entries.length === count || completeFrom === minId) return entries;
  const rest = { after: minId, before: lowerId(before, completeFrom), count: count - entries.length };
  return [...entries, ...(await loadFromGraph(app, feed, 'desc', rest))];
}

/** Returns entries above `after`, oldest first; fewer than `count` only where the feed ends. */
async function loadNewerEntries(app: App, feed: OwnedFeed, after: StatusId, count: number): Promise<FeedEntry[]> {
  const stored = await findStoredEntries(app, feed, 'asc', { bound: after, count });
  await touchFeed(app, feed, stored);
  const range = { after, before: maxId, count };
  if (stored === undefined || compareIds(stored.completeFrom, after) > 0) {
    return loadFromGraph(app, feed, 'asc', range);
  }
  return mergeEntries(stored.entries, await loadMergedEntries(app, feed, 'asc', range), 'asc').slice(0, count);
}

interface IdRange {
  /** Exclusive. */
  readonly after: StatusId;
  /** Exclusive. */
  readonly before: StatusId;
  readonly count: number;
}

/** Loads entries from the statuses of the followed accounts or list members, whether the feed is stored or not. */
function loadFromGraph(app: App, feed: FeedRef, direction: Direction, range: IdRange): Promise<FeedEntry[]> {
  return feed.kind === 'home'
    ? loadFromFollowGraph(app, direction, { accountId: feed.id, authors: null, ...range })
    : loadFromListGraph(app, direction, { listId: feed.id, ...range, now: app.clock.now() });
}

/** Loads the entries of authors with very many followers, which are not written into home feeds. */
async function loadMergedEntries(app: App, feed: FeedRef, direction: Direction, range: IdRange): Promise<FeedEntry[]> {
  if (feed.kind === 'list') return [];
  const authors = await listFollowedMergedAuthors(app, feed.id);
  return authors.length === 0 ? [] : loadFromFollowGraph(app, direction, { accountId: feed.id, authors, ...range });
}

/** Merges two ordered lists. An entry of both appears once. */
function mergeEntries(one: readonly FeedEntry[], other: readonly FeedEntry[], direction: Direction): FeedEntry[] {
  if (other.length === 0) return [...one];
  const byId = new Map([...one, ...other].map((entry) => [entry.id, entry]));
  const sign = direction === 'asc' ? 1 : -1;
  return [...byId.values()].toSorted((a, b) => sign * compareIds(a.id, b.id));
}

const incrementId = (id: StatusId): StatusId => String(BigInt(id) + 1n) as StatusId;
const decrementId = (id: StatusId): StatusId => String(BigInt(id) - 1n) as StatusId;
const lowerId = (a: StatusId, b: StatusId): StatusId => (compareIds(a, b) < 0 ? a : b);

interface StoredEntries extends FeedState {
  readonly entries: FeedEntry[];
}

interface Range {
  readonly bound: StatusId;
  readonly count: number;
}

interface StoredRow {
  readonly complete_from: StatusId;
  readonly used_at: Date;
  /** As `parseEntries` takes them. */
  readonly entries: string | null;
}

/** Returns up to `count` stored entries beyond `bound`; undefined if the feed is not stored. 404 for others' lists. */
async function findStoredEntries(
  app: App,
  feed: OwnedFeed,
  direction: Direction,
  range: Range,
): Promise<StoredEntries | undefined> {
  const [row] =
    feed.kind === 'home'
      ? await homeStatements[direction](app, { accountId: feed.id, ...range })
      : await listStatements[direction](app, { listId: feed.id, ownerId: feed.ownerId, ...range });
  if (row === undefined && feed.kind === 'list') throw notFound();
  if (row === undefined || row.complete_from === null) return undefined;
  return { entries: parseEntries(row.entries), completeFrom: row.complete_from, usedAt: row.used_at };
}

/** Selects the state `h` of a feed and its entries beyond `bound`. */
function storedColumns(
  kind: FeedRef['kind'],
  direction: Direction,
  { bound, count }: Columns<Range>,
): RawBuilder<unknown> {
  const { entries, key } = feedTableRefs(feedTables[kind]);
  const order = sql.raw(direction);
  const isBeyond = direction === 'desc' ? sql`<` : sql`>`;
  return sql`
    h.complete_from, h.used_at, (
      select string_agg(e.status_id || coalesce(':' || e.reblog_of_id, ''), ',' order by e.status_id ${order})
      from (
        select status_id, reblog_of_id from ${entries}
        where ${key} = h.${key} and status_id >= h.complete_from and status_id ${isBeyond} ${bound}
        order by status_id ${order} limit ${count}
      ) e
    ) as entries`;
}

const homeStatement = (direction: Direction) =>
  batchedQuery<StoredRow>()<Range & { readonly accountId: AccountId }>(
    { accountId: 'bigint', bound: 'bigint', count: 'int' },
    ({ accountId, ...range }) =>
      sql`select ${storedColumns('home', direction, range)}
        from home_feed_states h where h.account_id = ${accountId}`,
  );

const homeStatements = { asc: homeStatement('asc'), desc: homeStatement('desc') };

const listStatement = (direction: Direction) =>
  batchedQuery<StoredRow | Record<keyof StoredRow, null>>()<
    Range & { readonly ownerId: AccountId; readonly listId: ListId }
  >(
    { ownerId: 'bigint', listId: 'bigint', bound: 'bigint', count: 'int' },
    ({ ownerId, listId, ...range }) =>
      sql`select ${storedColumns('list', direction, range)}
        from lists l left join list_feed_states h on h.list_id = l.id
        where l.id = ${listId} and l.account_id = ${ownerId}`,
  );

const listStatements = { asc: listStatement('asc'), desc: listStatement('desc') };
