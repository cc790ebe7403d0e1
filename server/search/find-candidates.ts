import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { queryWithTimeout } from '../platform/database/query-with-timeout.ts';
import type { StatusId } from '../platform/ids.ts';
import { divideIds, type Direction, type IdRange } from './id-windows.ts';
import type { TermFilter } from './term-filter.ts';

/** A part of the index to read, and what to look for. */
export interface CandidateSearch {
  readonly filter: TermFilter;
  /** Conditions for the status `s` of the account `a`. */
  readonly conditions: readonly RawBuilder<unknown>[];
  readonly range: IdRange;
  readonly direction: Direction;
  /** Maximum number of index entries to compare with the conditions. */
  readonly maxEntries: number;
  /** Maximum number of results. */
  readonly limit: number;
}

export interface Candidates {
  /** In the direction of the search. */
  readonly ids: readonly StatusId[];
  /** The last id that was read; undefined if the range was read to its end. */
  readonly last: StatusId | undefined;
}

/** A search that takes longer is cancelled. */
const timeoutMs = 5_000;

/**
 * Finds statuses by the terms of the index and by conditions. The windows are read one after the other, and only until
 * there are enough entries: PostgreSQL does not run the later parts of the union. The lateral join keeps their order and
 * stops at the limit.
 */
export async function findCandidates(app: App, search: CandidateSearch): Promise<Candidates> {
  const { conditions, range, direction, maxEntries, limit } = search;
  const order = sql.raw(direction === 'down' ? 'desc' : 'asc');
  const windows = divideIds(range, direction).map(
    (window) => sql`(${selectWindow(search, window)} order by status_id + 0 ${order})`,
  );
  const [row] = await queryWithTimeout<{ ids: StatusId[]; count: number; last: StatusId | null }>(
    app,
    sql`with entries as materialized (
      select status_id from (${sql.join(windows, sql` union all `)}) windows limit ${maxEntries}::int
    ) select
      array(
        select e.status_id
        from entries e cross join lateral (
          select from statuses s join accounts a on a.id = s.account_id
          where s.id = e.status_id and s.deleted_at is null ${joinConditions(conditions)} offset 0
        ) fits
        limit ${limit}::int
      ) as ids,
      (select count(*)::int from entries) as count,
      (select ${sql.raw(direction === 'down' ? 'min' : 'max')}(status_id) from entries) as last`,
    timeoutMs,
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

/** The expression in the order keeps the planner from walking the primary key, which is slow for rare words. */
function selectWindow({ filter, range }: CandidateSearch, window: readonly number[]): RawBuilder<unknown> {
  return sql`select status_id from status_search
    where terms && ${window}::int[]
      ${filter.all.length === 0 ? sql`` : sql`and terms @> ${filter.all}::int[]`}
      ${joinConditions(filter.any.map((group) => sql`terms && ${group}::int[]`))}
      ${filter.none.length === 0 ? sql`` : sql`and not terms && ${filter.none}::int[]`}
      and status_id < ${range.below}::bigint and status_id > ${range.above}::bigint`;
}
