import { sql, type RawBuilder } from 'kysely';

/** With fewer accounts, one probe per account costs less. */
const maxProbedAccounts = 40;
/** Costs as much as the probes of about a hundred accounts. */
const neighbourCount = 2_000;

interface NearbyArgs {
  /** Range of the ids of statuses `s`. */
  readonly isInRange: RawBuilder<unknown>;
  readonly direction: 'asc' | 'desc';
  /** Number of statuses to select. */
  readonly scan: RawBuilder<unknown>;
}

/**
 * Selects the first `scan` statuses of many accounts from the neighbouring statuses of all accounts: `status_id` and the
 * columns of the CTE `sources`, which lists the accounts as `target_account_id`. Fewer if the neighbours have too few of
 * them, and none for few accounts.
 */
export function nearbyStatuses({ isInRange, direction, scan }: NearbyArgs): RawBuilder<unknown> {
  const order = sql.raw(direction);
  return sql`
    select f.*, post.id as status_id from (
      select s.id, s.account_id from (
        select s.id, s.account_id, s.deleted_at from statuses s where ${isInRange} order by s.id ${order}
        limit (select case when count(*) > ${sql.lit(maxProbedAccounts)} then ${sql.lit(neighbourCount)} else 0 end from sources)
      ) s
      where s.deleted_at is null and coalesce(s.account_id in (select target_account_id from sources), false)
      order by s.id ${order} limit ${scan}
    ) post join sources f on f.target_account_id = post.account_id`;
}
