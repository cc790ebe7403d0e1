import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { queryUntilAborted } from '../platform/database/query-until-aborted.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { divideIds, type Direction, type IdRange } from './id-windows.ts';
import type { Scope } from './parse-query.ts';
import { librarySql } from './searchable-sql.ts';
import type { TermFilter } from './term-filter.ts';

/** A part of the index to read, and what to look for. */
export interface CandidateSearch {
  readonly filter: TermFilter;
  readonly viewerId: AccountId;
  readonly within: Scope;
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
 * there are enough entries: PostgreSQL does not run the later parts of the union.
 */
export async function findCandidates(app: App, search: CandidateSearch): Promise<Candidates> {
  const { viewerId, within, direction, maxEntries, limit, signal } = search;
  const isLibrary = within === 'library';
  const query = sql`with entries as materialized (${isLibrary ? selectLibraryEntries(search) : selectEntries(search)}
    ), library as materialized (
      select status_id from (${librarySql(viewerId)}) used where status_id = any(array(select status_id from entries))
    ) select
      array(${isLibrary ? selectLibraryMatches(search) : selectMatches(search)} limit ${limit}::int) as ids,
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

const isInLibrary = sql`s.id in (select status_id from library)`;

/**
 * Conditions for the statuses that a search finds; visibility is checked afterwards. Most entries of a common word may be
 * of statuses that only their authors find, so the library is read by one scan of each table, for all entries.
 */
const findable: Readonly<Record<Scope, readonly RawBuilder<unknown>[]>> = {
  library: [],
  public: [sql`s.visibility = 'public'`, sql`a.indexable`],
  all: [sql`(s.visibility = 'public' or ${isInLibrary})`, sql`(a.indexable or ${isInLibrary})`],
};

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

/** The posts of a library are few, compared with those of a common word. */
function selectLibraryEntries({ viewerId, range, direction, maxEntries }: CandidateSearch): RawBuilder<unknown> {
  return sql`
    select status_id from (${librarySql(viewerId)}) used
    where true ${inRange(sql`status_id`, range)}
    order by status_id ${orderOf(direction)} limit ${maxEntries}::int`;
}

/** The statuses of all entries are read by one scan of their ids, in their order, which stops at the limit. */
const selectMatches = (search: CandidateSearch): RawBuilder<unknown> => sql`
  select s.id from statuses s join accounts a on a.id = s.account_id
  where s.id = any(array(select status_id from entries)) ${matchStatus(search)}
  order by s.id ${orderOf(search.direction)}`;

/** Few of the entries contain the terms. The lateral joins keep the order of the entries and stop at the limit. */
const selectLibraryMatches = (search: CandidateSearch): RawBuilder<unknown> => sql`
  select e.status_id from entries e cross join lateral (
    select from status_search where status_id = e.status_id ${matchTerms(search.filter)} offset 0
  ) indexed cross join lateral (
    select from statuses s join accounts a on a.id = s.account_id
    where s.id = e.status_id ${matchStatus(search)} offset 0
  ) fits`;

const matchStatus = ({ within, conditions }: CandidateSearch): RawBuilder<unknown> =>
  joinConditions([sql`s.deleted_at is null`, ...conditions, ...findable[within]]);

const inRange = (id: RawBuilder<unknown>, { below, above }: IdRange): RawBuilder<unknown> =>
  sql`and ${id} < ${below}::bigint and ${id} > ${above}::bigint`;

const matchTerms = ({ all, any, none }: TermFilter): RawBuilder<unknown> =>
  joinConditions([
    ...(all.length === 0 ? [] : [sql`terms @> ${all}::int[]`]),
    ...any.map((group) => sql`terms && ${group}::int[]`),
    ...(none.length === 0 ? [] : [sql`not terms && ${none}::int[]`]),
  ]);
