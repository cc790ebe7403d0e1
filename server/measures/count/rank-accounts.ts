import { sql } from 'kysely';
import { transaction } from '../../platform/write/transaction.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { maxDimensionLimit } from '../limits.ts';

/** Stores the accounts of each domain that most local accounts follow. */
export const rankAccounts: Schedule = {
  name: 'measures.rank_accounts',
  pattern: '23 * * * *',
  run: (app) =>
    transaction(app, async ({ db }) => {
      await sql`
        with ranked as (
          select coalesce(account.domain, '') as domain, account.id, stats.local_followers_count as followers,
            row_number() over (partition by account.domain order by stats.local_followers_count desc, account.id) as place
          from account_stats stats join accounts account on account.id = stats.account_id
          where stats.local_followers_count > 0 and account.deleted_at is null
        ), top as materialized (
          select domain, id, followers from ranked where place <= ${maxDimensionLimit}
        ), deleted as (
          delete from domain_top_accounts old
          where not exists (select from top where top.domain = old.domain and top.id = old.account_id)
        )
        insert into domain_top_accounts (domain, account_id, followers)
        select domain, id, followers from top order by domain, id
        on conflict (domain, account_id) do update set followers = excluded.followers
        where domain_top_accounts.followers <> excluded.followers`.execute(db);
    }),
};
