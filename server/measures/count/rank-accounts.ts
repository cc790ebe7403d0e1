import { sql } from 'kysely';
import { walkAccounts, type IsInRange } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { maxDimensionLimit } from '../limits.ts';

/** Stores the accounts of each domain that most local accounts follow. */
export const rankAccounts: Schedule = {
  name: 'measures.rank_accounts',
  pattern: '3-59/10 * * * *',
  run: (app) => walkAccounts(app, 'measures.rank_accounts', (isInRange) => rankRange(app, isInRange)),
};

/** Ranks the accounts of a range among those of other ranges that are stored for the same domains. */
const rankRange = (app: App, isInRange: IsInRange): Promise<unknown> =>
  transaction(app, ({ db }) =>
    sql`
      with fresh as materialized (
        select coalesce(account.domain, '') as domain, account.id, stats.local_followers_count as followers
        from account_stats stats join accounts account on account.id = stats.account_id
        where ${isInRange('stats.account_id')} and ${isInRange('account.id')}
          and stats.local_followers_count > 0 and account.deleted_at is null
      ), stored as materialized (
        select domain, account_id as id, followers, ${isInRange('account_id')} as is_in_range from domain_top_accounts
        where ${isInRange('account_id')} or domain in (select domain from fresh)
      ), ranked as (
        select domain, id, followers, row_number() over (partition by domain order by followers desc, id) as place
        from (select * from fresh union all select domain, id, followers from stored where not is_in_range) account
      ), top as materialized (
        select domain, id, followers from ranked where place <= ${maxDimensionLimit}
      ), deleted as (
        delete from domain_top_accounts old using stored
        where old.domain = stored.domain and old.account_id = stored.id
          and not exists (select from top where top.domain = stored.domain and top.id = stored.id)
      )
      insert into domain_top_accounts (domain, account_id, followers)
      select domain, id, followers from top where ${isInRange('id')} order by domain, id
      on conflict (domain, account_id) do update set followers = excluded.followers
      where domain_top_accounts.followers <> excluded.followers`.execute(db),
  );
