import { sql } from 'kysely';
import { walkAccounts, type IsInRange } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { isSuggestible } from './suggestible.ts';
import { writable } from './tables.ts';

/** Maximum number of accounts that are suggested to everyone, by source. */
const maxAccounts = 100;
/** Posts whose authors are considered, those that trend most. */
const maxPosts = 1_000;

/** Finds the accounts that are suggested to everyone: new users follow no one whose friends could be suggested. */
export const refreshPopularAccounts: Schedule = {
  name: 'suggestion.refresh_popular_accounts',
  pattern: '9-59/10 * * * *',
  async run(app) {
    await walkAccounts(app, 'suggestion.refresh_popular_accounts', (isInRange) => refreshMostFollowed(app, isInRange));
    await refreshMostInteractions(app);
  },
};

/** Ranks the accounts of a range among those of other ranges that are stored. */
const refreshMostFollowed = (app: App, isInRange: IsInRange): Promise<unknown> =>
  transaction(app, ({ db }) =>
    sql`
      with top as materialized (
        (select a.id, stats.local_followers_count as score
          from account_stats stats join accounts a on a.id = stats.account_id
          where ${isInRange('stats.account_id')} and ${isInRange('a.id')}
            and stats.local_followers_count > 0 and a.discoverable and ${isSuggestible})
        union all
        (select account_id, score from popular_accounts where source = 'most_followed' and not (${isInRange('account_id')}))
        order by score desc, id desc limit ${maxAccounts}::int
      ), deleted as (
        delete from popular_accounts old
        where source = 'most_followed' and not exists (select from top where top.id = old.account_id)
      )
      insert into popular_accounts (source, account_id, score)
      select 'most_followed', id, score from top where ${isInRange('id')}
      on conflict (source, account_id) do update set score = excluded.score
      where popular_accounts.score <> excluded.score`.execute(db),
  );

/** Finds the authors of trending posts, ranked by how many accounts favourited or boosted these. */
const refreshMostInteractions = (app: App): Promise<unknown> =>
  transaction(app, async ({ db }) => {
    await writable(db).deleteFrom('popular_accounts').where('source', '=', 'most_interactions').execute();
    await sql`
      insert into popular_accounts (source, account_id, score)
      select 'most_interactions', a.id, count(distinct used.account_id)::int as score
      from (
        select subject_id from trends where kind = 'status' order by score desc limit ${maxPosts}::int
      ) trend
      join statuses s on s.id = trend.subject_id
      join accounts a on a.id = s.account_id
      join trend_uses used on used.kind = 'status' and used.subject_id = trend.subject_id
      where a.discoverable and ${isSuggestible}
      group by a.id order by score desc, a.id desc limit ${maxAccounts}::int`.execute(db);
  });
