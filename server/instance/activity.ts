import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { InstanceActivity } from './schema.ts';

const weekCount = 12;
const secondsPerWeek = 604_800;
/** The epoch was a Thursday; weeks begin on Monday, UTC. */
const mondayOffsetSeconds = 4 * 86_400;

interface WeeklyCounts {
  /** Weeks since the first Monday of the epoch. */
  readonly week: number;
  readonly statuses: number;
  readonly logins: number;
  readonly registrations: number;
}

const week = (seconds: ReturnType<typeof sql>) =>
  sql`floor((${seconds} - ${sql.lit(mondayOffsetSeconds)}) / ${sql.lit(secondsPerWeek)})::int`;
const weekOf = (column: string) => week(sql`extract(epoch from ${sql.ref(column)})`);

/**
 * A login is a user who signed in with a browser or an app in the week, or was last active in it. Statuses are those that
 * the measures counted by day: twelve weeks of a large server are millions of rows.
 */
const countsByWeek = preparedQuery<WeeklyCounts>()((db, { since }: { since: Date }) => ({
  compile: () =>
    sql<WeeklyCounts>`
      with events as (
        select ${weekOf('day')} as week, value as statuses, null::bigint as user_id, 0 as registrations
        from daily_counts
        where kind = 'status_languages' and key = '' and day >= (${since}::timestamptz at time zone 'UTC')::date
        union all
        select ${weekOf('created_at')}, 0, user_id, 0 from sessions where created_at >= ${since}::timestamptz
        union all
        select ${weekOf('created_at')}, 0, user_id, 0 from oauth_tokens
        where created_at >= ${since}::timestamptz and user_id is not null
        union all
        select ${weekOf('last_active_at')}, 0, id, 0 from users where last_active_at >= ${since}::timestamptz
        union all
        select ${weekOf('created_at')}, 0, null, 1 from users where created_at >= ${since}::timestamptz
      )
      select week, sum(statuses)::int as statuses, count(distinct user_id)::int as logins,
        sum(registrations)::int as registrations
      from events group by week`.compile(db),
}));

export const activityCache = new LoadingCache<'weeks', readonly InstanceActivity[]>({
  name: 'instance.activity',
  maxSize: 1,
  ttlMs: 3_600_000,
  load: loadActivity,
});

/** Counts statuses, logins and registrations in each of the last twelve weeks, newest first. Up to an hour old. */
export const listActivity = (app: App): Promise<readonly InstanceActivity[]> => activityCache.get(app, 'weeks');

async function loadActivity(app: App): Promise<InstanceActivity[]> {
  const thisWeek = Math.floor((app.clock.now().getTime() / 1000 - mondayOffsetSeconds) / secondsPerWeek);
  const begin = (number: number): number => number * secondsPerWeek + mondayOffsetSeconds;
  const since = new Date(begin(thisWeek - weekCount + 1) * 1000);
  const rows = await countsByWeek(app, { since });
  return Array.from({ length: weekCount }, (_, ago) => {
    const row = rows.find((item) => item.week === thisWeek - ago);
    return {
      week: String(begin(thisWeek - ago)),
      statuses: String(row?.statuses ?? 0),
      logins: String(row?.logins ?? 0),
      registrations: String(row?.registrations ?? 0),
    };
  });
}
