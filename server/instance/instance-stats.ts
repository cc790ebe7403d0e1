import { sql } from 'kysely';
import { instanceActorId } from '../accounts/index.ts';
import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';

/** How large this server is. */
export interface InstanceStats {
  /** People with an account here that is through its sign-up. */
  readonly userCount: number;
  /** Posts that they wrote. */
  readonly statusCount: number;
  /** Other servers that accounts are known of. */
  readonly domainCount: number;
  /** People here who used it in the last 30 days. */
  readonly activeMonth: number;
  /** People here who used it in the last 180 days (NodeInfo). */
  readonly activeHalfYear: number;
}

const dayMs = 86_400_000;

const counts = preparedQuery<{ [Name in keyof InstanceStats]: number }>()(
  (db, { month, halfYear }: { month: Date; halfYear: Date }) => ({
    compile: () =>
      sql<{ [Name in keyof InstanceStats]: number }>`
        with people as (
          select count(*)::int as users, coalesce(sum(st.statuses_count), 0)::int as statuses
          from accounts a left join account_stats st on st.account_id = a.id
          where a.domain is null and a.activated and a.suspended_at is null and a.deleted_at is null
            and a.id <> ${sql.lit(instanceActorId)}
        ), activity as (
          select count(*) filter (where last_active_at > ${month}::timestamptz)::int as month, count(*)::int as half_year
          from users where last_active_at > ${halfYear}::timestamptz and not disabled
        )
        select people.users as "userCount", people.statuses as "statusCount", activity.month as "activeMonth",
          activity.half_year as "activeHalfYear",
          (with recursive known (domain) as (
             select min(domain) from accounts
             union all
             select (select min(a.domain) from accounts a where a.domain > known.domain) from known where known.domain is not null
           ) select count(domain)::int from known) as "domainCount"
        from people, activity`.compile(db),
  }),
);

const cache = perApp(
  (app) =>
    new LoadingCache<'all', InstanceStats>({
      size: 1,
      ttl: 60_000,
      load: async () => {
        const now = app.clock.now().getTime();
        const [row] = await counts(app, {
          month: new Date(now - 30 * dayMs),
          halfYear: new Date(now - 180 * dayMs),
        });
        if (row === undefined) throw new Error('the counts of this server have no row');
        return row;
      },
    }),
);

/** How large this server is, as of the last minute. */
export function instanceStats(app: App): Promise<InstanceStats> {
  return cache(app).get('all');
}
