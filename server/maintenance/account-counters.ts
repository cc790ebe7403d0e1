import { sql } from 'kysely';
import { lockAccountStats, setAccountStats, type AccountStats } from '../accounts/lifecycle/index.ts';
import type { Db } from './checks.ts';
import { checkCounters } from './counter-check.ts';

interface CountedAccount extends AccountStats {
  readonly isWrong: boolean;
}

/** The numbers of remote accounts come from their servers; only that of their local followers is counted here. */
async function countAccounts(db: Db, ids: readonly string[]): Promise<CountedAccount[]> {
  const { rows } = await sql<CountedAccount>`
    with counted as materialized (
      select account.id, account.domain is null as local,
        (select count(*) from statuses where account_id = account.id and deleted_at is null and visibility <> 'direct'
          and visibility not like 'imported%'
          and account.domain is null)::int as posted,
        (select count(*) from follows where target_account_id = account.id and account.domain is null)::int as followers,
        (select count(*) from follows where account_id = account.id and account.domain is null)::int as following,
        (select count(*) from follows join accounts follower on follower.id = follows.account_id
          where target_account_id = account.id and follower.domain is null)::int as local_followers
      from accounts account where account.id = any(${ids}::bigint[]) and account.deleted_at is null
    ), expected as (
      select counted.id as "accountId", counted.local_followers as "localFollowerCount",
        case when local then posted else coalesce(stats.statuses_count, 0) end as "statusCount",
        case when local then followers else greatest(coalesce(stats.followers_count, 0), local_followers) end as "followerCount",
        case when local then following else coalesce(stats.following_count, 0) end as "followingCount",
        stats.*
      from counted left join account_stats stats on stats.account_id = counted.id
    )
    select "accountId", "statusCount", "followerCount", "followingCount", "localFollowerCount", account_id is null
      or ("statusCount", "followerCount", "followingCount", "localFollowerCount")
        <> (statuses_count, followers_count, following_count, local_followers_count) as "isWrong"
    from expected order by "accountId"`.execute(db);
  return rows;
}

export const accountCounters = checkCounters({
  name: 'account-counters',
  description: 'Numbers of posts, followers and follows of accounts',
  table: 'accounts',
  pageSize: 200,
  idOf: ({ accountId }) => accountId,
  count: countAccounts,
  lock: lockAccountStats,
  store: setAccountStats,
});
