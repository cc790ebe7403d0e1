import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { replaceCounts } from './replace-counts.ts';

/**
 * Counts users again: by the day of the sign-up and that of the last activity (`user_cohorts`), by the latter and the
 * language (`user_locales`), and by the former and the app of the sign-up (`users`).
 */
export const countUsers = (app: App): Promise<void> =>
  transaction(app, (tx) =>
    replaceCounts(
      tx,
      { kinds: ['user_cohorts', 'user_locales', 'users'] },
      sql`
        select
          case when grouping(application_id) = 0 then 'users' when grouping(locale) = 0 then 'user_locales'
            else 'user_cohorts' end,
          case when grouping(application_id) = 0 then coalesce(application_id::text, '')
            when grouping(locale) = 0 then locale else to_char(signed_up, 'YYYY-MM-DD') end,
          case when grouping(application_id) = 0 then signed_up else last_active end,
          '', count(*)
        from (
          select (created_at at time zone 'UTC')::date as signed_up, locale, created_by_application_id as application_id,
            coalesce((last_active_at at time zone 'UTC')::date, '-infinity') as last_active
          from users
        ) every_user
        group by grouping sets ((signed_up, last_active), (locale, last_active), (signed_up, application_id))`,
    ),
  );
