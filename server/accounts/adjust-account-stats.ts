import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { inTransaction } from '../platform/write/reactions.ts';
import { counterColumns, toAccountCounters, type CounterRow } from './present/account-counters.ts';
import { accountCountersChanged, accountStatsAdjusted } from './events.ts';

/** Amounts by which the counters of an account change. */
export type StatsDelta = Static<typeof accountStatsAdjusted.schema>;

/** Changes the counters of accounts at the end of the transaction. Counters never fall below 0. */
export function adjustAccountStats(tx: Transaction, deltas: readonly StatsDelta[]): void {
  for (const delta of deltas) tx.emit(accountStatsAdjusted(delta));
}

/** Applies all deltas of a transaction in one statement, with the commit. Rows are locked in the order of their ids. */
export const applyStatsDeltas = inTransaction([accountStatsAdjusted], {
  locks: 'account_stats',
  runBatch: async (tx: Transaction, _app: App, deltas) => applyDeltas(tx, mergeDeltas(deltas)),
});

function applyDeltas(tx: Transaction, list: readonly StatsDelta[]): void {
  const column = (pick: (delta: StatsDelta) => number | undefined) => list.map((delta) => pick(delta) ?? 0);
  const update = sql<CounterRow>`
    with delta as (
      select * from unnest(
        ${list.map(({ accountId }) => accountId)}::bigint[],
        ${column(({ statuses }) => statuses)}::int[],
        ${column(({ followers }) => followers)}::int[],
        ${column(({ following }) => following)}::int[],
        ${column(({ localFollowers }) => localFollowers)}::int[],
        ${list.map(({ lastStatusAt }) => lastStatusAt ?? null)}::timestamptz[]
      ) as delta(id, statuses, followers, following, local_followers, last_status_at)
    ), locked as materialized (
      select account_id from account_stats where account_id in (select id from delta) order by account_id for update
    )
    update account_stats as stats set
      statuses_count = greatest(stats.statuses_count + delta.statuses, 0),
      followers_count = greatest(stats.followers_count + delta.followers, 0),
      following_count = greatest(stats.following_count + delta.following, 0),
      local_followers_count = greatest(stats.local_followers_count + delta.local_followers, 0),
      last_status_at = greatest(stats.last_status_at, delta.last_status_at),
      version = stats.version + 1
    from delta, locked
    where stats.account_id = delta.id and locked.account_id = delta.id
    returning ${counterColumns}`;
  tx.sendWithCommit(update, (row) => accountCountersChanged(toAccountCounters(row)));
}

function mergeDeltas(deltas: readonly StatsDelta[]): StatsDelta[] {
  const byAccount = Map.groupBy(deltas, ({ accountId }) => accountId);
  return [...byAccount.values()].map((same) => same.reduce(addDeltas));
}

function addDeltas(a: StatsDelta, b: StatsDelta): StatsDelta {
  const lastStatusAt = [a.lastStatusAt, b.lastStatusAt]
    .filter((date) => date !== undefined)
    .toSorted()
    .at(-1);
  return {
    accountId: a.accountId,
    statuses: (a.statuses ?? 0) + (b.statuses ?? 0),
    followers: (a.followers ?? 0) + (b.followers ?? 0),
    following: (a.following ?? 0) + (b.following ?? 0),
    localFollowers: (a.localFollowers ?? 0) + (b.localFollowers ?? 0),
    ...(lastStatusAt !== undefined && { lastStatusAt }),
  };
}
