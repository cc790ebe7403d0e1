import { sql } from 'kysely';
import { perApp, type App } from '../platform/app.ts';
import { Cache } from '../platform/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { idFromDate, type TagId } from '../platform/ids.ts';
import type { Tag } from '../tags/index.ts';

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

/** A status id carries its time, so that the days are counted from the index alone. */
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

/** Counting the uses of a popular tag takes a while, and nobody waits for the newest one. */
const historyCache = perApp(
  () => new Cache<TagId, { today: number; history: TagHistory }>({ size: 5_000, ttl: 30_000 }),
);

/** How much each hashtag was used in each of the last seven days (UTC), newest first; one query for all that is not cached. */
export async function loadTagHistories(app: App, ids: readonly TagId[]): Promise<Map<TagId, TagHistory>> {
  const today = Math.floor(app.clock.now().getTime() / dayMs);
  const found = new Map<TagId, TagHistory>();
  const missing: TagId[] = [];
  for (const id of new Set(ids)) {
    const entry = historyCache(app).get(id);
    if (entry?.today === today) found.set(id, entry.history);
    else missing.push(id);
  }
  if (missing.length === 0) return found;
  const since = idFromDate(new Date((today - historyDays + 1) * dayMs));
  // The id's low bits are random: the day begins where they are zero.
  const rows = await usesByDay(app, { ids: missing, since: String((BigInt(since) >> 16n) << 16n) });
  const rowsByTag = Map.groupBy(rows, ({ tag_id }) => tag_id);
  for (const id of missing) {
    const history = buildTagHistory(rowsByTag.get(id) ?? [], today);
    historyCache(app).set(id, { today, history });
    found.set(id, history);
  }
  return found;
}

/** The seven days before and with `today` (days since the epoch), newest first. */
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
