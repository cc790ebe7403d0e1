import { sql } from 'kysely';
import type { AccountId } from '../platform/ids.ts';

/**
 * What is counted about an account, as JSON. Counters change with each post and follow, the rest seldom: those who change
 * them say what they are now, and what is cached of the account is kept.
 */
export interface AccountCounters {
  readonly id: AccountId;
  /** Rises with each change. */
  readonly version: number;
  /** Members of the JSON of the account, without braces. */
  readonly jsonProperties: string;
}

/** The columns of `account_stats` that an account's JSON shows. */
export interface AccountCounts {
  readonly statuses_count: number;
  readonly followers_count: number;
  readonly following_count: number;
  readonly last_status_at: Date | null;
}

export interface CounterRow extends AccountCounts {
  readonly account_id: AccountId;
  readonly version: number;
}

/** What `countersOf` reads, for the `returning` of a statement that changes `account_stats as stats`. */
export const counterColumns = sql.join(
  ['account_id', 'version', 'statuses_count', 'followers_count', 'following_count', 'last_status_at'].map((name) =>
    sql.ref(`stats.${name}`),
  ),
);

export const presentCounts = (counted: AccountCounts) => ({
  last_status_at: counted.last_status_at && counted.last_status_at.toISOString().slice(0, 10),
  statuses_count: counted.statuses_count,
  followers_count: counted.followers_count,
  following_count: counted.following_count,
});

export const toAccountCounters = (row: CounterRow): AccountCounters => ({
  id: row.account_id,
  version: row.version,
  jsonProperties: JSON.stringify(presentCounts(row)).slice(1, -1),
});
