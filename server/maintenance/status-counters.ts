import { sql } from 'kysely';
import { lockStatusStats, setStatusStats, type StatusStats } from '../statuses/react/index.ts';
import type { StatusId } from '../platform/ids.ts';
import { nextCursor, type Check, type Db } from './checks.ts';

const pageSize = 500;

interface CountedStatus extends StatusStats {
  readonly isWrong: boolean;
}

async function countStatuses(db: Db, ids: readonly string[]): Promise<CountedStatus[]> {
  const { rows } = await sql<CountedStatus>`
    with counted as materialized (
      select status.id as "statusId",
        (select count(*) from statuses reply where in_reply_to_id = status.id and deleted_at is null
          and visibility in ('public', 'unlisted'))::int as "replyCount",
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

export const statusCounters: Check = {
  name: 'status-counters',
  description: 'Numbers of replies, reblogs, favourites and quotes of posts',
  async examine(db, after) {
    const statuses = await db
      .selectFrom('statuses')
      .select('id')
      .where('id', '>', after as StatusId)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    const ids = statuses.map(({ id }) => id);
    const counted = await countStatuses(db, ids);
    const wrong = counted.filter(({ isWrong }) => isWrong).map(({ statusId }) => statusId);
    return { wrong, next: nextCursor(ids, pageSize) };
  },
  async repair(tx, ids) {
    await lockStatusStats(tx, ids as readonly StatusId[]);
    const wrong = (await countStatuses(tx.db, ids)).filter(({ isWrong }) => isWrong);
    await setStatusStats(tx, wrong);
    return wrong.length;
  },
};
