import { sql } from 'kysely';
import { isCountedReplySql } from '../statuses/visibility/index.ts';
import { lockStatusStats, setStatusStats, type StatusStats } from '../statuses/react/index.ts';
import type { Db } from './checks.ts';
import { checkCounters } from './counter-check.ts';

interface CountedStatus extends StatusStats {
  readonly isWrong: boolean;
}

async function countStatuses(db: Db, ids: readonly string[]): Promise<CountedStatus[]> {
  const { rows } = await sql<CountedStatus>`
    with counted as materialized (
      select status.id as "statusId",
        (select count(*) from statuses reply where in_reply_to_id = status.id and deleted_at is null
          and ${isCountedReplySql(sql`reply.visibility`, sql`status.id`)})::int as "replyCount",
        (select count(*) from statuses reblog where reblog_of_id = status.id and deleted_at is null)::int as "reblogCount",
        (select count(*) from favourites where status_id = status.id)::int as "favouriteCount",
        (select count(*) from quotes where quoted_status_id = status.id and state = 'accepted')::int as "quoteCount"
      from statuses status where status.id = any(${ids}::bigint[]) and deleted_at is null
    )
    select counted.*, ("replyCount", "reblogCount", "favouriteCount", "quoteCount") <> (coalesce(replies_count, 0),
      coalesce(reblogs_count, 0), coalesce(favourites_count, 0), coalesce(quotes_count, 0)) as "isWrong"
    from counted left join status_stats stats on stats.status_id = "statusId" order by "statusId"`.execute(db);
  return rows;
}

export const statusCounters = checkCounters({
  name: 'status-counters',
  description: 'Numbers of replies, reblogs, favourites and quotes of posts',
  table: 'statuses',
  pageSize: 500,
  idOf: ({ statusId }) => statusId,
  count: countStatuses,
  async lock(tx, ids) {
    await lockStatusStats(tx, ids);
    return [];
  },
  store: setStatusStats,
});
