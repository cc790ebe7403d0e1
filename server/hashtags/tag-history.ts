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
 * Days that were counted after they were over have their uses stored. The posts of others, such as today, are counted: a
 * status id contains its time.
 */
const usesByDay = preparedQuery<TagUsesRow>()((db, { ids, firstDay, lastDay }: DaysArgs) => ({
  compile: () =>
    sql<TagUsesRow>`
      with days as materialized (
        select number, date '1970-01-01' + number as day,
          (number::bigint * ${sql.lit(dayMs)}) << 16 as first_id, ((number + 1)::bigint * ${sql.lit(dayMs)}) << 16 as end_id,
          exists (select from counted_tag_days counted where counted.day = date '1970-01-01' + number) as is_counted
        from generate_series(${firstDay}::int, ${lastDay}::int) number
      )
      select tag.id as tag_id, days.number as day, stored.uses, stored.accounts
      from days cross join unnest(${ids}::bigint[]) tag(id) cross join lateral (
        select (select coalesce(sum(daily.uses), 0)::int from tag_daily_uses daily
            where daily.tag_id = tag.id and daily.day = days.day and daily.dimension = 'language') as uses,
          (select count(*)::int from tag_daily_uses daily
            where daily.tag_id = tag.id and daily.day = days.day and daily.dimension = 'account') as accounts
      ) stored
      where days.is_counted
      union all
      select tag.id, days.number, live.uses, live.accounts
      from days cross join unnest(${ids}::bigint[]) tag(id) cross join lateral (
        select count(*)::int as uses, count(distinct status.account_id)::int as accounts
        from status_tags tagged join statuses status on status.id = tagged.status_id
        where tagged.tag_id = tag.id and tagged.status_id >= days.first_id and tagged.status_id < days.end_id
          and status.visibility in ('public', 'unlisted') and status.deleted_at is null
      ) live
      where not days.is_counted`.compile(db),
}));

/** A day since the epoch and a hashtag: their numbers, separated by a space. */
type DayTagKey = string;

/** Counting the uses of a popular hashtag is slow, so counts may be 30 seconds old. */
export const historyCache = new BatchLoadingCache<DayTagKey, TagHistory>({
  name: 'hashtags.tag_histories',
  maxSize: 5_000,
  ttlMs: 30_000,
  loadMany: queryTagHistories,
});

/**
 * Returns how much each hashtag was used on each of the last seven days (UTC), newest first, in one query at most. Changes
 * of posts of past days show when a schedule counts the day again, within an hour.
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
