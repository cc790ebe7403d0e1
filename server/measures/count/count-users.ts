import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { addDays, firstIdOf, startOfDay, type Day } from '../days.ts';
import { replaceCounts } from './replace-counts.ts';

/**
 * Counts users again: by the day of the sign-up and that of the last activity (`user_cohorts`), by the months of both
 * (`user_month_cohorts`), by the last activity and the language (`user_locales`), and by the sign-up and its app (`users`).
 */
export const countUsers = (app: App): Promise<void> =>
  transaction(app, (tx) =>
    replaceCounts(
      tx,
      { kinds: ['user_cohorts', 'user_month_cohorts', 'user_locales', 'users'] },
      sql`
        with every_user as materialized (
          select (created_at at time zone 'UTC')::date as signed_up, locale, created_by_application_id as application_id,
            coalesce((last_active_at at time zone 'UTC')::date, '-infinity') as last_active
          from users
        ), cohorts as materialized (
          select signed_up, last_active, count(*) as number from every_user group by 1, 2
        )
        select 'user_cohorts', to_char(signed_up, 'YYYY-MM-DD'), last_active, '', number from cohorts
        union all
        select 'user_month_cohorts', to_char(signed_up, 'YYYY-MM-01'), date_trunc('month', last_active::timestamp)::date, '',
          sum(number)
        from cohorts group by 2, 3
        union all
        select 'user_locales', locale, last_active, '', count(*) from every_user group by 2, 3
        union all
        select 'users', coalesce(application_id::text, ''), signed_up, '', count(*) from every_user group by 2, 3`,
    ),
  );

/** Counts the sign-ups of a day again, by the app. Reads the users whose ids are of this day. */
export const countSignUps = (tx: Transaction, day: Day): Promise<void> =>
  replaceCounts(
    tx,
    { kinds: ['users'], day },
    sql`
      select 'users', coalesce(created_by_application_id::text, ''), ${day}::date, '', count(*)
      from users
      where id >= ${sql.lit(firstIdOf(day))}::bigint
        and created_at >= ${startOfDay(day)}::timestamptz and created_at < ${startOfDay(addDays(day, 1))}::timestamptz
      group by 2`,
  );
