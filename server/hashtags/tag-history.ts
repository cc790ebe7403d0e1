import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { BatchLoadingCache } from '../platform/caching/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { idFromDate, type TagId } from '../platform/ids.ts';
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

/** A status id contains its time, so the index alone suffices to count by day. */
const usesByDay = preparedQuery<TagUsesRow>()((db, { ids, since }: { ids: readonly TagId[]; since: string }) =>
  db
    .selectFrom('status_tags')
    .innerJoin('statuses', 'statuses.id', 'status_tags.status_id')
    .select([
      'status_tags.tag_id',
      sql<number>`((status_tags.status_id >> 16) / ${sql.lit(dayMs)})::int`.as('day'),
      sql<number>`count(*)::int`.as('uses'),
      sql<number>`count(distinct statuses.account_id)::int`.as('accounts'),
    ])
    .where(sql<boolean>`status_tags.tag_id = any(${ids}::bigint[])`)
    .where(sql<boolean>`status_tags.status_id >= ${since}::bigint`)
    .where('statuses.visibility', 'in', sql<'public'>`('public', 'unlisted')`)
    .where('statuses.deleted_at', 'is', null)
    .groupBy(['status_tags.tag_id', sql`2`]),
);

/** A day since the epoch and a hashtag: their numbers, separated by a space. */
type DayTagKey = string;

/** Counting the uses of a popular hashtag is slow, so counts may be 30 seconds old. */
export const historyCache = new BatchLoadingCache<DayTagKey, TagHistory>({
  name: 'hashtags.tag_histories',
  maxSize: 5_000,
  ttlMs: 30_000,
  loadMany: queryTagHistories,
});

/** Returns how much each hashtag was used on each of the last seven days (UTC), newest first, in one query at most. */
export async function loadTagHistories(app: App, ids: readonly TagId[]): Promise<Map<TagId, TagHistory>> {
  const today = Math.floor(app.clock.now().getTime() / dayMs);
  const keyOf = (id: TagId): DayTagKey => `${today} ${id}`;
  const histories = await historyCache.getMany(app, ids.map(keyOf));
  return new Map(ids.map((id) => [id, histories.get(keyOf(id)) ?? buildTagHistory([], today)]));
}

async function queryTagHistories(app: App, keys: readonly DayTagKey[]): Promise<Map<DayTagKey, TagHistory>> {
  const pairs = keys.map((key) => key.split(' ') as [day: string, id: TagId]);
  const firstDay = Math.min(...pairs.map(([day]) => Number(day))) - historyDays + 1;
  const since = idFromDate(new Date(firstDay * dayMs));
  const rows = await usesByDay(app, {
    ids: [...new Set(pairs.map(([, id]) => id))],
    // The low bits of an id are random: the day begins where they are zero.
    since: String((BigInt(since) >> 16n) << 16n),
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
