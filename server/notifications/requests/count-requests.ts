import { sql } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, NotificationId } from '../../platform/ids.ts';

/** The types that open a request. Other filtered notifications are listed once the sender is accepted. */
const requestTypes = ['mention', 'quote'] as const;
/** Notifications that a request counts at most (reference/limits.tsv). */
export const maxCount = 100;

/** A condition on `notifications`: a request counts the row. */
export const countsForRequestSql = sql<boolean>`
  (filtered and type in (${sql.join(requestTypes.map((type) => sql.lit(type)))}))`;

/** The recipient and the sender of filtered notifications. */
export type RequestPair = readonly [accountId: AccountId, fromAccountId: AccountId];

interface FilteredNotification {
  readonly id: NotificationId;
  readonly account_id: AccountId;
  readonly from_account_id: AccountId;
  readonly type: string;
}

/**
 * Opens requests for filtered notifications, or counts them in existing ones. A request that a later notification has
 * opened meanwhile, in another transaction, begins with the earlier one.
 */
export async function openRequests(
  tx: Transaction,
  notifications: readonly FilteredNotification[],
  now: Date,
): Promise<void> {
  const counted = notifications.filter(({ type }) => requestTypes.some((name) => name === type));
  if (counted.length === 0) return;
  const accountIds = counted.map(({ account_id }) => account_id);
  const senderIds = counted.map(({ from_account_id }) => from_account_id);
  await sql`
    insert into notification_requests (account_id, id, from_account_id, notifications_count, created_at, updated_at)
    select account_id, min(id), from_account_id, 0, ${now}::timestamptz, ${now}::timestamptz
    from unnest(
      ${accountIds}::bigint[], ${counted.map(({ id }) => id)}::bigint[], ${senderIds}::bigint[]
    ) as counted (account_id, id, from_account_id)
    group by account_id, from_account_id order by account_id, from_account_id
    on conflict (account_id, from_account_id) do update set
      id = least(notification_requests.id, excluded.id), updated_at = excluded.updated_at`.execute(tx.db);
  await recountRequests(
    tx,
    counted.map((row) => [row.account_id, row.from_account_id]),
  );
}

/**
 * Counts the notifications of requests again after some were stored or deleted. Deletes requests that have none left.
 * Locks the requests first, so that it sees what concurrent transactions stored and deleted.
 */
export async function recountRequests({ db }: Transaction, pairs: readonly RequestPair[]): Promise<void> {
  if (pairs.length === 0) return;
  const { rows: locked } = await sql<{ account_id: AccountId; from_account_id: AccountId }>`
    select r.account_id, r.from_account_id from notification_requests r
    where (r.account_id, r.from_account_id) in (
      select * from unnest(
        ${pairs.map(([accountId]) => accountId)}::bigint[], ${pairs.map(([, fromAccountId]) => fromAccountId)}::bigint[]))
    order by r.account_id, r.from_account_id for update`.execute(db);
  if (locked.length === 0) return;
  await sql`
    with counted as (
      select r.account_id, r.id, totals.count, totals.last_status_id
      from unnest(
          ${locked.map(({ account_id }) => account_id)}::bigint[],
          ${locked.map(({ from_account_id }) => from_account_id)}::bigint[]) as pair (account_id, from_account_id)
        join notification_requests r on r.account_id = pair.account_id and r.from_account_id = pair.from_account_id
        cross join lateral (
          select count(*)::int as count, (array_agg(newest.status_id order by newest.id desc))[1] as last_status_id
          from (
            select id, status_id from notifications
            where account_id = r.account_id and from_account_id = r.from_account_id and id >= r.id
              and ${countsForRequestSql}
            order by id desc limit ${sql.lit(maxCount)}) newest) totals
    ), emptied as (
      delete from notification_requests r using counted
      where r.account_id = counted.account_id and r.id = counted.id and counted.count = 0
    )
    update notification_requests r set notifications_count = counted.count, last_status_id = counted.last_status_id
    from counted where r.account_id = counted.account_id and r.id = counted.id and counted.count > 0`.execute(db);
}
