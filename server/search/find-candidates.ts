import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { queryUntilAborted } from '../platform/database/query-until-aborted.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { divideIds, type Direction, type IdRange } from './id-windows.ts';
import type { TermFilter } from './term-filter.ts';

/** A part of the index to read, and what to look for. */
export interface CandidateSearch {
  readonly filter: TermFilter;
  /** Search only the library of this account; undefined: all entries. */
  readonly libraryOf: AccountId | undefined;
  /** Conditions for the status `s` of the account `a`. */
  readonly conditions: readonly RawBuilder<unknown>[];
  readonly range: IdRange;
  readonly direction: Direction;
  /** Maximum number of index entries to compare with the conditions; of the library, with the terms. */
  readonly maxEntries: number;
  /** Maximum number of results. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface Candidates {
  /** In the direction of the search. */
  readonly ids: readonly StatusId[];
  /** The last id that was read; undefined if the range was read to its end. */
  readonly last: StatusId | undefined;
}

/**
 * Finds statuses by the terms of the index and by conditions. The windows are read one after the other, and only until
 * there are enough entries: PostgreSQL does not run the later parts of the union. The lateral join keeps their order and
 * stops at the limit.
 */
export async function findCandidates(app: App, search: CandidateSearch): Promise<Candidates> {
  const { conditions, direction, maxEntries, limit, libraryOf, signal } = search;
  const entries = libraryOf === undefined ? selectEntries(search) : selectLibraryEntries(search, libraryOf);
  const query = sql`with entries as materialized (${entries}) select
      array(
        select e.status_id
        from entries e ${libraryOf === undefined ? sql`` : joinTerms(search)} cross join lateral (
          select from statuses s join accounts a on a.id = s.account_id
          where s.id = e.status_id and s.deleted_at is null ${joinConditions(conditions)} offset 0
        ) fits
        limit ${limit}::int
      ) as ids,
      (select count(*)::int from entries) as count,
      (select ${sql.raw(direction === 'down' ? 'min' : 'max')}(status_id) from entries) as last`;
  const { sql: text, parameters: values } = query.compile(app.db);
  const [row] = await queryUntilAborted<{ ids: StatusId[]; count: number; last: StatusId | null }>(
    app,
    { text, values },
    signal,
  );
  const { ids = [], count = 0, last = null } = row ?? {};
  if (ids.length >= limit) return { ids, last: ids.at(-1) };
  return { ids, last: count < maxEntries ? undefined : (last ?? undefined) };
}

const joinConditions = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(
    conditions.map((condition) => sql`and ${condition}`),
    sql` `,
  );

const orderOf = (direction: Direction): RawBuilder<unknown> => sql.raw(direction === 'down' ? 'desc' : 'asc');

/** `status_id + 0` keeps the planner from the primary key: the index of terms narrows the search much better. */
function selectEntries({ filter, range, direction, maxEntries }: CandidateSearch): RawBuilder<unknown> {
  const windows = divideIds(range, direction).map(
    (window) => sql`(
      select status_id from status_search
      where terms && ${window}::int[] ${matchTerms(filter)} ${inRange(sql`(status_id + 0)`, range)}
      order by status_id + 0 ${orderOf(direction)})`,
  );
  return sql`select status_id from (${sql.join(windows, sql` union all `)}) windows limit ${maxEntries}::int`;
}

/** The statuses that the account wrote, is mentioned in or interacted with: few, compared with those of a common word. */
function selectLibraryEntries(
  { range, direction, maxEntries }: CandidateSearch,
  viewerId: AccountId,
): RawBuilder<unknown> {
  return sql`
    select status_id from (
      select id as status_id from statuses
        where account_id = ${viewerId}::bigint and deleted_at is null and reblog_of_id is null
      union select status_id from mentions where account_id = ${viewerId}::bigint
      union select status_id from favourites where account_id = ${viewerId}::bigint
      union select status_id from bookmarks where account_id = ${viewerId}::bigint
      union select reblog_of_id from statuses
        where account_id = ${viewerId}::bigint and reblog_of_id is not null and deleted_at is null
      union select p.status_id from poll_votes x join polls p on p.id = x.poll_id
        where x.account_id = ${viewerId}::bigint) library
    where true ${inRange(sql`status_id`, range)}
    order by status_id ${orderOf(direction)} limit ${maxEntries}::int`;
}

const joinTerms = ({ filter }: CandidateSearch): RawBuilder<unknown> => sql`cross join lateral (
  select from status_search where status_id = e.status_id ${matchTerms(filter)} offset 0) indexed`;

const inRange = (id: RawBuilder<unknown>, { below, above }: IdRange): RawBuilder<unknown> =>
  sql`and ${id} < ${below}::bigint and ${id} > ${above}::bigint`;

const matchTerms = ({ all, any, none }: TermFilter): RawBuilder<unknown> =>
  joinConditions([
    ...(all.length === 0 ? [] : [sql`terms @> ${all}::int[]`]),
    ...any.map((group) => sql`terms && ${group}::int[]`),
    ...(none.length === 0 ? [] : [sql`not terms && ${none}::int[]`]),
  ]);
