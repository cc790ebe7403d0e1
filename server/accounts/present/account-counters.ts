import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';

/**
 * The counters of an account as JSON. They change with each post and follow, the profile rarely: so an event patches the
 * counters of a cached account instead of evicting it.
 */
export interface AccountCounters {
  readonly id: AccountId;
  /** Increases with each change. */
  readonly version: number;
  /** The end of the account's JSON: a comma, these members and the closing brace. */
  readonly jsonEnd: string;
}

/** The columns of `account_stats` in an account's JSON. */
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

/** The columns for `toAccountCounters`, for `returning` in a statement that changes `account_stats as stats`. */
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
  jsonEnd: `,${JSON.stringify(presentCounts(row)).slice(1)}`,
});
