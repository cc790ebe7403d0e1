import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery, type Columns } from '../../platform/database/batched-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { type AccountId, type ListId, maxId, type StatusId } from '../../platform/ids.ts';
import { feedTableRefs, feedTables, parseEntries, type FeedRef, type FeedState } from '../feeds/feed-tables.ts';
import type { FeedEntry } from './hide-repeats.ts';

export type Direction = 'asc' | 'desc';

/** Entries loaded beyond a page, so that a few hidden ones do not cost another query. */
export const extraEntries = 4;

/** A feed and the account that may read it. */
export type OwnedFeed = FeedRef & { readonly ownerId: AccountId };

/** The state of a stored feed and a part of its entries. */
export interface StoredEntries extends FeedState {
  readonly entries: FeedEntry[];
}

/** Whether a feed is stored and not being built. */
export const isBuilt = (stored: StoredEntries | undefined): stored is StoredEntries =>
  stored !== undefined && stored.completeFrom !== maxId;

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
export async function findStoredEntries(
  app: App,
  feed: OwnedFeed,
  direction: Direction,
  range: Range,
): Promise<StoredEntries | undefined> {
  if (feed.kind === 'home') return queryHomeEntries(app, direction, { accountId: feed.id, ...range });
  const [row] = await listStatements[direction](app, { listId: feed.id, ownerId: feed.ownerId, ...range });
  if (row === undefined) throw notFound();
  return row.complete_from === null ? undefined : toStoredEntries(row);
}

/** As `findStoredEntries`, for the home feed of an account. */
export async function queryHomeEntries(
  app: App,
  direction: Direction,
  range: Range & { readonly accountId: AccountId },
): Promise<StoredEntries | undefined> {
  const [row] = await homeStatements[direction](app, range);
  return row && toStoredEntries(row);
}

const toStoredEntries = (row: StoredRow): StoredEntries => ({
  entries: parseEntries(row.entries),
  completeFrom: row.complete_from,
  usedAt: row.used_at,
});

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
