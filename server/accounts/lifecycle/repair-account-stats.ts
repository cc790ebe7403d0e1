import { sql } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { accountCountersChanged } from '../events.ts';
import { counterColumns, toAccountCounters, type CounterRow } from '../present/account-counters.ts';

/** The counters of an account. */
export interface AccountStats {
  readonly accountId: AccountId;
  readonly statusCount: number;
  readonly followerCount: number;
  readonly followingCount: number;
  readonly localFollowerCount: number;
}

/** Locks the counters of accounts, and creates them where they are missing. Returns the accounts that had none. */
export async function lockAccountStats({ db }: Transaction, ids: readonly AccountId[]): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`insert into account_stats (account_id)
    select id from accounts where id = any(${ids}::bigint[]) order by id on conflict do nothing
    returning account_id as id`.execute(db);
  await sql`select from account_stats where account_id = any(${ids}::bigint[]) order by account_id for update`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Replaces counters that `lockAccountStats` locked. */
export async function setAccountStats({ db, emit }: Transaction, list: readonly AccountStats[]): Promise<void> {
  const { rows } = await sql<CounterRow>`
    update account_stats as stats set statuses_count = counted.statuses, followers_count = counted.followers,
      following_count = counted.following, local_followers_count = counted.local_followers, version = stats.version + 1
    from unnest(${list.map(({ accountId }) => accountId)}::bigint[], ${list.map(({ statusCount }) => statusCount)}::int[],
      ${list.map(({ followerCount }) => followerCount)}::int[], ${list.map(({ followingCount }) => followingCount)}::int[],
      ${list.map(({ localFollowerCount }) => localFollowerCount)}::int[])
      as counted(id, statuses, followers, following, local_followers)
    where stats.account_id = counted.id
    returning ${counterColumns}`.execute(db);
  for (const row of rows) emit(accountCountersChanged(toAccountCounters(row)));
}
