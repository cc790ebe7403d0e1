import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { Cache } from '../platform/caching/cache.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import type { UserId } from '../platform/ids.ts';
import { reportTemporaryFailure } from '../platform/temporary-failures.ts';

const hourMs = 3_600_000;

/** Time of the last recorded activity of each user, in milliseconds since the epoch. */
export const lastTouched = new Cache<UserId, number>({
  name: 'users.last_touched',
  maxSize: 20_000,
  ttlMs: 24 * hourMs,
});

/** Records in the background that a user is active, at most once an hour. */
export function touchUser(app: App, { userId }: { readonly userId: UserId }): void {
  const now = app.clock.now();
  const last = lastTouched.peek(app, userId);
  if (last !== undefined && now.getTime() - last < hourMs) return;
  lastTouched.set(app, userId, now.getTime());
  transaction(app, (tx) => recordActivity(tx, userId, now)).catch((error: unknown) => {
    if (!reportTemporaryFailure(app, error)) app.log.warn({ err: error }, 'could not record the activity of a user');
  });
}

/** Records the time, and counts the user as active if it is the first time on its day. */
const recordActivity = ({ db }: Transaction, userId: UserId, now: Date) =>
  sql`
    with previous as (
      select id, (last_active_at at time zone 'UTC')::date as day from users
      where id = ${userId}::bigint and (last_active_at is null or last_active_at < ${now}) for update
    ), touched as (
      update users set last_active_at = ${now} from previous where users.id = previous.id
    )
    insert into active_user_counts (day, previous_day, number)
    select today.day, coalesce(previous.day, '-infinity'), 1
    from previous, (select (${now}::timestamptz at time zone 'UTC')::date as day) today
    where previous.day is null or previous.day < today.day
    on conflict (day, previous_day) do update set number = active_user_counts.number + 1`.execute(db);

/** Counts a user who signs up as active on this day. */
export async function countSignUp({ db }: Transaction, now: Date): Promise<void> {
  await sql`
    insert into active_user_counts (day, previous_day, number)
    values ((${now}::timestamptz at time zone 'UTC')::date, '-infinity', 1)
    on conflict (day, previous_day) do update set number = active_user_counts.number + 1`.execute(db);
}
