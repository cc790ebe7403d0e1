import { sql } from 'kysely';
import type { CardId } from '../cards/index.ts';
import { buildTagHistory, type Tag } from '../hashtags/index.ts';
import type { App } from '../platform/app.ts';
import { BatchLoadingCache } from '../platform/caching/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { idFromDate } from '../platform/ids.ts';

const dayMs = 86_400_000;
const historyDays = 7;

interface LinkUsesRow {
  readonly card_id: CardId;
  /** Days since the epoch. */
  readonly day: number;
  readonly uses: number;
  readonly accounts: number;
}

const usesByDay = preparedQuery<LinkUsesRow>()((db, { ids, since }: { ids: readonly CardId[]; since: string }) =>
  db
    .selectFrom('status_cards')
    .innerJoin('statuses', 'statuses.id', 'status_cards.status_id')
    .select([
      'status_cards.card_id',
      sql<number>`((status_cards.status_id >> 16) / ${sql.lit(dayMs)})::int`.as('day'),
      sql<number>`count(*)::int`.as('uses'),
      sql<number>`count(distinct statuses.account_id)::int`.as('accounts'),
    ])
    .where(sql<boolean>`status_cards.card_id = any(${ids}::bigint[])`)
    .where(sql<boolean>`status_cards.status_id >= ${since}::bigint`)
    .where('statuses.visibility', 'in', sql<'public'>`('public', 'unlisted')`)
    .where('statuses.deleted_at', 'is', null)
    .groupBy(['status_cards.card_id', sql`2`]),
);

/** Counting the posts with a popular link is slow, so counts may be 30 seconds old. */
export const historyCache = new BatchLoadingCache<CardId, readonly LinkUsesRow[]>({
  name: 'trends.link_histories',
  maxSize: 1_000,
  ttlMs: 30_000,
  async loadMany(app, ids) {
    const since = idFromDate(new Date((today(app) - historyDays + 1) * dayMs));
    // The low bits of an id are random: the day begins where they are zero.
    const rows = await usesByDay(app, { ids, since: String((BigInt(since) >> 16n) << 16n) });
    const rowsByCard = Map.groupBy(rows, ({ card_id }) => card_id);
    return new Map(ids.map((id) => [id, rowsByCard.get(id) ?? []]));
  },
});

/** Returns how often each card was posted on each of the last seven days (UTC), newest first. */
export async function loadLinkHistories(app: App, ids: readonly CardId[]): Promise<Map<CardId, Tag['history']>> {
  const rows = await historyCache.getMany(app, ids);
  return new Map(ids.map((id) => [id, buildTagHistory(rows.get(id) ?? [], today(app))]));
}

const today = (app: App): number => Math.floor(app.clock.now().getTime() / dayMs);
