import { accountCountersChanged } from './events.ts';
import { sql } from 'kysely';
import type { Transaction } from '../platform/database/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { counterColumns, toAccountCounters, type CounterRow } from './account-counters.ts';

/** By how much the counters of an account change. */
export interface StatsDelta {
  readonly accountId: AccountId;
  readonly statuses?: number;
  readonly followers?: number;
  readonly following?: number;
  /** Followers that are accounts of this server (also counted in `followers`). */
  readonly localFollowers?: number;
  /** When it posted; an older moment than the one known changes nothing. */
  readonly lastStatusAt?: Date;
}

/** What one transaction changes, kept until its end: the counters of a busy account are wanted by many at once. */
const pendingDeltas = new WeakMap<Transaction, StatsDelta[]>();

/**
 * Changes the counters of accounts at the end of the transaction, all in one statement, safely beside others who do the
 * same: rows are locked in the order of their ids. Counters never fall below 0.
 */
export async function adjustAccountStats(tx: Transaction, deltas: readonly StatsDelta[]): Promise<void> {
  const earlier = pendingDeltas.get(tx);
  if (earlier !== undefined) {
    earlier.push(...deltas);
    return;
  }
  const all = [...deltas];
  pendingDeltas.set(tx, all);
  tx.beforeCommit(async () => {
    pendingDeltas.delete(tx);
    await applyDeltas(tx, mergeDeltas(all));
  });
}

async function applyDeltas(tx: Transaction, list: readonly StatsDelta[]): Promise<void> {
  if (list.length === 0) return;
  const column = (pick: (delta: StatsDelta) => number | undefined) => list.map((delta) => pick(delta) ?? 0);
  const { rows } = await sql<CounterRow>`
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
    returning ${counterColumns}`.execute(tx.db);
  for (const row of rows) tx.emit(accountCountersChanged(toAccountCounters(row)));
}

function mergeDeltas(deltas: readonly StatsDelta[]): StatsDelta[] {
  const byAccount = Map.groupBy(deltas, ({ accountId }) => accountId);
  return [...byAccount.values()].map((same) => same.reduce(addDeltas));
}

function addDeltas(a: StatsDelta, b: StatsDelta): StatsDelta {
  const latest = [a.lastStatusAt, b.lastStatusAt]
    .filter((date) => date !== undefined)
    .toSorted((x, y) => +x - +y)
    .at(-1);
  return {
    accountId: a.accountId,
    statuses: (a.statuses ?? 0) + (b.statuses ?? 0),
    followers: (a.followers ?? 0) + (b.followers ?? 0),
    following: (a.following ?? 0) + (b.following ?? 0),
    localFollowers: (a.localFollowers ?? 0) + (b.localFollowers ?? 0),
    ...(latest && { lastStatusAt: latest }),
  };
}
