import { sql } from 'kysely';
import { instanceActorId } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';

/** The size of the server. */
export interface InstanceStats {
  /** Local accounts whose sign-up is complete. */
  readonly userCount: number;
  /** Their statuses. */
  readonly statusCount: number;
  /** Servers with at least one known account. */
  readonly domainCount: number;
  /** Local users active in the last 30 days. */
  readonly activeMonth: number;
  /** Local users active in the last 180 days (NodeInfo). */
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

export const statsCache = new LoadingCache<'stats', InstanceStats>({
  name: 'instance.stats',
  maxSize: 1,
  ttlMs: 600_000,
  load: loadStats,
});

/** Counts users, statuses and servers. Up to ten minutes old: the statement reads all local accounts. */
export const instanceStats = (app: App): Promise<InstanceStats> => statsCache.get(app, 'stats');

async function loadStats(app: App): Promise<InstanceStats> {
  const now = app.clock.now().getTime();
  const [row] = await counts(app, { month: new Date(now - 30 * dayMs), halfYear: new Date(now - 180 * dayMs) });
  if (row === undefined) throw new Error('the query of the instance statistics returned no row');
  return row;
}
