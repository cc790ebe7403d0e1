import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { transaction } from '../platform/write/transaction.ts';
import { walkAccounts, type IsInRange } from './find/walk-accounts.ts';

/** Stored in the row of the account, so that a search by name does not read the counters of each match. */
export const refreshPopularity: Schedule = {
  name: 'account.refresh_popularity',
  pattern: '7-59/10 * * * *',
  run: (app) => walkAccounts(app, 'account.refresh_popularity', (isInRange) => refreshRange(app, isInRange)),
};

/**
 * Refreshes the accounts of a range. Each silent month, up to twelve, lowers the popularity as much as losing a third of the
 * followers. It is rounded, so that few rows change.
 */
const refreshRange = (app: App, isInRange: IsInRange): Promise<unknown> =>
  transaction(app, ({ db }) =>
    sql`
      with fresh as materialized (
        select a.id, a.popularity as old, (round((ln(1 + stats.followers_count) - 0.4 * least(12, date_part('epoch',
          ${app.clock.now()}::timestamptz - coalesce(stats.last_status_at, a.created_at)) / 2592000)) * 4) / 4)::real
          as popularity
        from account_stats stats join accounts a on a.id = stats.account_id
        where ${isInRange('stats.account_id')} and ${isInRange('a.id')}
      )
      update accounts set popularity = fresh.popularity from fresh
      where accounts.id = fresh.id and fresh.popularity <> fresh.old and ${isInRange('accounts.id')}`.execute(db),
  );
