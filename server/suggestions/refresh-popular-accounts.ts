import { sql } from 'kysely';
import { transaction } from '../platform/write/transaction.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { isSuggestible } from './suggestible.ts';
import { writable } from './tables.ts';

/** Maximum number of accounts that are suggested to everyone, by source. */
const maxAccounts = 100;

/** Finds the accounts that are suggested to everyone: new users follow no one whose friends could be suggested. */
export const refreshPopularAccounts: Schedule = {
  name: 'suggestion.refresh_popular_accounts',
  pattern: '27 * * * *',
  async run(app) {
    await transaction(app, async ({ db }) => {
      await writable(db).deleteFrom('popular_accounts').execute();
      await sql`
        insert into popular_accounts (source, account_id, score)
        (select 'most_followed', a.id, stats.local_followers_count
          from account_stats stats join accounts a on a.id = stats.account_id
          where stats.local_followers_count > 0 and a.discoverable and ${isSuggestible}
          order by stats.local_followers_count desc, a.id desc limit ${maxAccounts}::int)
        union all
        (select 'most_interactions', a.id, count(distinct used.account_id)::int
          from trend_uses used join statuses s on s.id = used.subject_id join accounts a on a.id = s.account_id
          where used.kind = 'status' and a.discoverable and ${isSuggestible}
          group by a.id order by 3 desc, a.id desc limit ${maxAccounts}::int)`.execute(db);
    });
  },
};
