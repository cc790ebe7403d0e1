import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { batchedQuery, type Columns } from '../platform/database/batched-query.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId, ListId, StatusId } from '../platform/ids.ts';
import type { FeedEntry } from './hide-repeats.ts';
import { homeTables, listTables, feedTableRefs, type FeedTables } from './feed-tables.ts';

/** What is stored of a feed in one stretch. */
export interface FeedSlice {
  readonly entries: FeedEntry[];
  /** Nothing is missing from this status id on. */
  readonly completeFrom: StatusId;
  readonly usedAt: Date;
}

interface FeedBounds {
  readonly bound: StatusId;
  readonly count: number;
}

interface FeedRow {
  readonly complete_from: StatusId;
  readonly used_at: Date;
  /** `id` or `id:reblogged id`, separated by commas: much cheaper to read than rows. */
  readonly entries: string | null;
}

/** A state `h` with the entries of a stretch. */
function feedColumns(
  tables: FeedTables,
  direction: 'asc' | 'desc',
  { bound, count }: Columns<FeedBounds>,
): RawBuilder<unknown> {
  const { entries, key } = feedTableRefs(tables);
  const order = sql.raw(direction);
  const within = direction === 'desc' ? sql`<` : sql`>`;
  return sql`
    h.complete_from, h.used_at, (
      select string_agg(e.status_id || coalesce(':' || e.reblog_of_id, ''), ',' order by e.status_id ${order})
      from (
        select status_id, reblog_of_id from ${entries}
        where ${key} = h.${key} and status_id >= h.complete_from and status_id ${within} ${bound}
        order by status_id ${order} limit ${count}
      ) e
    ) as entries`;
}

interface HomeArgs extends FeedBounds {
  readonly accountId: AccountId;
}

const homeStatement = (direction: 'asc' | 'desc') =>
  batchedQuery<FeedRow>()<HomeArgs>(
    { accountId: 'bigint', bound: 'bigint', count: 'int' },
    ({ accountId, bound, count }) =>
      sql`select ${feedColumns(homeTables, direction, { bound, count })}
        from home_feed_states h where h.account_id = ${accountId}`,
  );

const homeStatements = { asc: homeStatement('asc'), desc: homeStatement('desc') };

/**
 * Reads up to `count` stored entries of a home below (`desc`, newest first) or above (`asc`, oldest first) the status id
 * `bound`; undefined when no feed is kept for this account.
 */
export async function readHomeFeed(
  app: App,
  direction: 'asc' | 'desc',
  args: HomeArgs,
): Promise<FeedSlice | undefined> {
  const [row] = await homeStatements[direction](app, args);
  return row && toFeedSlice(row);
}

interface ListArgs extends FeedBounds {
  readonly ownerId: AccountId;
  readonly listId: ListId;
}

const listStatement = (direction: 'asc' | 'desc') =>
  batchedQuery<FeedRow | Record<keyof FeedRow, null>>()<ListArgs>(
    { ownerId: 'bigint', listId: 'bigint', bound: 'bigint', count: 'int' },
    ({ ownerId, listId, bound, count }) =>
      sql`select ${feedColumns(listTables, direction, { bound, count })}
        from lists l left join list_feed_states h on h.list_id = l.id
        where l.id = ${listId} and l.account_id = ${ownerId}`,
  );

const listStatements = { asc: listStatement('asc'), desc: listStatement('desc') };

/** As `readStoredHome`, of a list; 404 when it is not of this account. */
export async function readListFeed(
  app: App,
  direction: 'asc' | 'desc',
  args: ListArgs,
): Promise<FeedSlice | undefined> {
  const [row] = await listStatements[direction](app, args);
  if (row === undefined) throw notFound();
  return row.complete_from === null ? undefined : toFeedSlice(row);
}

const toFeedSlice = (row: FeedRow): FeedSlice => ({
  entries: parseEntries(row.entries),
  completeFrom: row.complete_from,
  usedAt: row.used_at,
});

/** Reads entries from their text: `id` or `id:reblogged id`, separated by commas; null for none. */
export function parseEntries(text: string | null): FeedEntry[] {
  return text === null ? [] : text.split(',').map(parseEntry);
}

function parseEntry(text: string): FeedEntry {
  const colon = text.indexOf(':');
  if (colon === -1) return { id: text as StatusId, reblogOfId: undefined };
  return { id: text.slice(0, colon) as StatusId, reblogOfId: text.slice(colon + 1) as StatusId };
}
