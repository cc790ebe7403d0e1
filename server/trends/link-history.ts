import { sql } from 'kysely';
import type { CardId } from '../cards/index.ts';
import { buildTagHistory, type Tag } from '../hashtags/index.ts';
import type { App } from '../platform/app.ts';
import { BatchLoadingCache } from '../platform/caching/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';

const dayMs = 86_400_000;
const historyDays = 7;

interface LinkUsesRow {
  readonly card_id: CardId;
  /** Days since the epoch. */
  readonly day: number;
  readonly uses: number;
  readonly accounts: number;
}

interface DaysArgs {
  readonly ids: readonly string[];
  /** The day of each card, since the epoch. */
  readonly days: readonly number[];
}

/** A status id contains its time, so the posts of a day are a range of the index of the card. */
const usesOfDays = preparedQuery<LinkUsesRow>()((db, { ids, days }: DaysArgs) => ({
  compile: () =>
    sql<LinkUsesRow>`
      select wanted.card_id, wanted.day, used.uses, used.accounts
      from unnest(${ids}::bigint[], ${days}::int[]) wanted (card_id, day) cross join lateral (
        select count(*)::int as uses, count(distinct status.account_id)::int as accounts
        from status_cards attached join statuses status on status.id = attached.status_id
        where attached.card_id = wanted.card_id
          and attached.status_id >= (wanted.day::bigint * ${sql.lit(dayMs)}) << 16
          and attached.status_id < ((wanted.day + 1)::bigint * ${sql.lit(dayMs)}) << 16
          and status.visibility in ('public', 'unlisted') and status.deleted_at is null
      ) used`.compile(db),
}));

/** A day since the epoch and a card: their numbers, separated by a space. */
type DayCardKey = string;

async function loadUses(app: App, keys: readonly DayCardKey[]): Promise<Map<DayCardKey, LinkUsesRow>> {
  const pairs = keys.map((key) => key.split(' '));
  const rows = await usesOfDays(app, {
    ids: pairs.map(([, id = '']) => id),
    days: pairs.map(([day]) => Number(day)),
  });
  return new Map(rows.map((row) => [keyOf(row.day, row.card_id), row]));
}

const keyOf = (day: number, id: CardId): DayCardKey => `${day} ${id}`;

/** Counting the posts with a popular link is slow, so the counts of the current day may be 30 seconds old. */
export const todayCache = new BatchLoadingCache<DayCardKey, LinkUsesRow>({
  name: 'trends.link_uses_today',
  maxSize: 1_000,
  ttlMs: 30_000,
  loadMany: loadUses,
});

/** Past days change only when a post of that day is deleted or arrives late. */
export const pastDaysCache = new BatchLoadingCache<DayCardKey, LinkUsesRow>({
  name: 'trends.link_uses_by_day',
  maxSize: 6_000,
  ttlMs: 30 * 60_000,
  loadMany: loadUses,
});

/**
 * Returns how often each card was posted on each of the last seven days (UTC), newest first. Changes of posts of past days
 * show within half an hour.
 */
export async function loadLinkHistories(app: App, ids: readonly CardId[]): Promise<Map<CardId, Tag['history']>> {
  const today = Math.floor(app.clock.now().getTime() / dayMs);
  const pastDays = Array.from({ length: historyDays - 1 }, (_, index) => today - 1 - index);
  const [current, past] = await Promise.all([
    todayCache.getMany(
      app,
      ids.map((id) => keyOf(today, id)),
    ),
    pastDaysCache.getMany(
      app,
      ids.flatMap((id) => pastDays.map((day) => keyOf(day, id))),
    ),
  ]);
  const rowsByCard = Map.groupBy([...current.values(), ...past.values()], ({ card_id }) => card_id);
  return new Map(ids.map((id) => [id, buildTagHistory(rowsByCard.get(id) ?? [], today)]));
}
