import { sql } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { statusCountersChanged } from '../events.ts';
import { buildCounters, counterColumns, type CounterRow } from '../read/status-counters.ts';

/** The counters of a status. */
export interface StatusStats {
  readonly statusId: StatusId;
  readonly replyCount: number;
  readonly reblogCount: number;
  readonly favouriteCount: number;
  readonly quoteCount: number;
}

/** Locks the counters of statuses, and creates them where they are missing. */
export async function lockStatusStats({ db }: Transaction, ids: readonly StatusId[]): Promise<void> {
  await sql`insert into status_stats (status_id)
    select id from statuses where id = any(${ids}::bigint[]) order by id
    on conflict (status_id) do update set version = status_stats.version + 1`.execute(db);
}

/** Replaces counters that `lockStatusStats` locked. */
export async function setStatusStats({ db, emit }: Transaction, list: readonly StatusStats[]): Promise<void> {
  const { rows } = await sql<CounterRow>`
    update status_stats set replies_count = counted.replies, reblogs_count = counted.reblogs,
      favourites_count = counted.favourites, quotes_count = counted.quotes, version = version + 1
    from unnest(${list.map(({ statusId }) => statusId)}::bigint[], ${list.map(({ replyCount }) => replyCount)}::int[],
      ${list.map(({ reblogCount }) => reblogCount)}::int[], ${list.map(({ favouriteCount }) => favouriteCount)}::int[],
      ${list.map(({ quoteCount }) => quoteCount)}::int[]) as counted(id, replies, reblogs, favourites, quotes)
    where status_id = counted.id
    returning ${counterColumns}`.execute(db);
  for (const row of rows) emit(statusCountersChanged(buildCounters(row)));
}
