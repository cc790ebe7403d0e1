import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { transaction } from '../platform/write/transaction.ts';

/** Accounts per transaction. */
const batchSize = 5_000;

/** Stored in the row of the account, so that a search by name does not read the counters of each match. */
export const refreshPopularity: Schedule = {
  name: 'account.refresh_popularity',
  pattern: '37 * * * *',
  async run(app) {
    let last: AccountId | undefined = await refreshBatch(app, null);
    while (last !== undefined) last = await refreshBatch(app, last);
  },
};

/**
 * Refreshes the accounts after an id. Returns the id of the last one, or undefined if there are none. Each silent month, up
 * to twelve, lowers the popularity as much as losing a third of the followers. It is rounded, so that few rows change.
 */
async function refreshBatch(app: App, after: AccountId | null): Promise<AccountId | undefined> {
  const { rows } = await transaction(app, ({ db }) =>
    sql<{ last: AccountId | null }>`
      with batch as materialized (
        select account_id, followers_count, last_status_at from account_stats
        where account_id > coalesce(${after}::bigint, -9223372036854775808) order by account_id limit ${batchSize}::int
      ), fresh as materialized (
        select a.id, a.popularity as old, (round((ln(1 + batch.followers_count) - 0.4 * least(12, date_part('epoch',
          ${app.clock.now()}::timestamptz - coalesce(batch.last_status_at, a.created_at)) / 2592000)) * 4) / 4)::real
          as popularity
        from batch join accounts a on a.id = batch.account_id
      ), changed as (
        update accounts set popularity = fresh.popularity from fresh
        where accounts.id = fresh.id and fresh.popularity <> fresh.old
      )
      select max(account_id) as last from batch`.execute(db),
  );
  return rows[0]?.last ?? undefined;
}
