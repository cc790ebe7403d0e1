import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { BatchLoadingCache } from '../platform/caching/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { TagId } from '../platform/ids.ts';
import type { Tag } from './schema.ts';

export type TagHistory = Tag['history'];

const historyDays = 7;
const secondsPerDay = 86_400;
const dayMs = secondsPerDay * 1000;

interface TagUsesRow {
  readonly tag_id: TagId;
  /** Days since the epoch. */
  readonly day: number;
  readonly uses: number;
  readonly accounts: number;
}

interface DaysArgs {
  readonly ids: readonly TagId[];
  /** Days since the epoch, both included. */
  readonly firstDay: number;
  readonly lastDay: number;
}

/**
 * A schedule stores the uses of each day, and up to which post it has counted. Only later posts are counted here, and those
 * of days without stored uses: a status id contains its time.
 */
const usesByDay = preparedQuery<TagUsesRow>()((db, { ids, firstDay, lastDay }: DaysArgs) => ({
  compile: () =>
    sql<TagUsesRow>`
      with days as materialized (
        select number, date '1970-01-01' + number as day, counted.day is not null as is_counted, end_id,
          case when counted.day is null then first_id else coalesce(counted.counted_to, end_id) end as live_from
        from (
          select number, (number::bigint * ${sql.lit(dayMs)}) << 16 as first_id,
            ((number + 1)::bigint * ${sql.lit(dayMs)}) << 16 as end_id
          from generate_series(${firstDay}::int, ${lastDay}::int) number
        ) range left join counted_tag_days counted on counted.day = date '1970-01-01' + number
      )
      select tag.id as tag_id, days.number as day, stored.uses + live.uses as uses,
        stored.accounts + live.accounts as accounts
      from days cross join unnest(${ids}::bigint[]) tag(id) cross join lateral (
        select (select coalesce(sum(daily.uses), 0)::int from tag_daily_uses daily
            where daily.tag_id = tag.id and daily.day = days.day and daily.dimension = 'language' and days.is_counted
          ) as uses,
          (select count(*)::int from tag_daily_uses daily
            where daily.tag_id = tag.id and daily.day = days.day and daily.dimension = 'account' and days.is_counted
          ) as accounts
      ) stored cross join lateral (
        select count(*)::int as uses, (count(distinct status.account_id) filter (where not (days.is_counted and exists (
            select from tag_daily_uses daily
            where daily.tag_id = tag.id and daily.day = days.day and daily.dimension = 'account'
              and daily.part = status.account_id::text))))::int as accounts
        from status_tags tagged join statuses status on status.id = tagged.status_id
        where tagged.tag_id = tag.id and tagged.status_id >= days.live_from and tagged.status_id < days.end_id
          and days.live_from < days.end_id
          and status.visibility in ('public', 'unlisted') and status.deleted_at is null
      ) live`.compile(db),
}));

/** A day since the epoch and a hashtag: their numbers, separated by a space. */
type DayTagKey = string;

/** Counts may be 30 seconds old. */
export const historyCache = new BatchLoadingCache<DayTagKey, TagHistory>({
  name: 'hashtags.tag_histories',
  maxSize: 5_000,
  ttlMs: 30_000,
  loadMany: queryTagHistories,
});

/**
 * Returns how much each hashtag was used on each of the last seven days (UTC), newest first, in one query at most. Changes
 * of posts, and posts that arrive late, show when a schedule counts their day again: today within an hour, others within
 * six.
 */
export async function loadTagHistories(app: App, ids: readonly TagId[]): Promise<Map<TagId, TagHistory>> {
  const today = Math.floor(app.clock.now().getTime() / dayMs);
  const keyOf = (id: TagId): DayTagKey => `${today} ${id}`;
  const histories = await historyCache.getMany(app, ids.map(keyOf));
  return new Map(ids.map((id) => [id, histories.get(keyOf(id)) ?? buildTagHistory([], today)]));
}

async function queryTagHistories(app: App, keys: readonly DayTagKey[]): Promise<Map<DayTagKey, TagHistory>> {
  const pairs = keys.map((key) => key.split(' ') as [day: string, id: TagId]);
  const days = pairs.map(([day]) => Number(day));
  const rows = await usesByDay(app, {
    ids: [...new Set(pairs.map(([, id]) => id))],
    firstDay: Math.min(...days) - historyDays + 1,
    lastDay: Math.max(...days),
  });
  const rowsByTag = Map.groupBy(rows, ({ tag_id }) => tag_id);
  return new Map(
    pairs.map(([day, id], index) => [keys[index] ?? '', buildTagHistory(rowsByTag.get(id) ?? [], Number(day))]),
  );
}

/** Returns the seven days up to `today` (days since the epoch), newest first. */
export function buildTagHistory(rows: readonly Omit<TagUsesRow, 'tag_id'>[], today: number): TagHistory {
  return Array.from({ length: historyDays }, (_, ago) => {
    const row = rows.find(({ day }) => day === today - ago);
    return {
      day: String((today - ago) * secondsPerDay),
      uses: String(row?.uses ?? 0),
      accounts: String(row?.accounts ?? 0),
    };
  });
}
