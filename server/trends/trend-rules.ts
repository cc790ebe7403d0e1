import { sql, type RawBuilder } from 'kysely';
import type { TrendKind } from './tables.ts';

/** When something trends, and for how long (reference/limits.tsv). */
export interface TrendRule {
  /** Accounts that must have used it in the last `recentHours`. */
  readonly minAccounts: number;
  /** The hours that count. The hours before them, up to `historyHours`, tell what is usual. */
  readonly recentHours: number;
  readonly halfLifeMs: number;
  /** A trend with a lower score ends. */
  readonly minScore: number;
  /** Returns `id`, `language` and `started_at` (null: the score decays from its peak) of what may trend. */
  readonly subjects: RawBuilder<unknown>;
}

/** Uses are retained for this long. */
export const historyHours = 48;

const hourMs = 3_600_000;

/** A status that may trend, without its author. */
export const isTrendableStatus = sql<boolean>`
  s.visibility = 'public' and s.deleted_at is null and s.reblog_of_id is null and s.in_reply_to_id is null
  and not s.is_reply and not s.sensitive and s.spoiler_text = ''`;

export const trendRules: Readonly<Record<TrendKind, TrendRule>> = {
  tag: {
    minAccounts: 5,
    recentHours: 24,
    halfLifeMs: 4 * hourMs,
    minScore: 1,
    subjects: sql`select id, null::text as language, null::timestamptz as started_at from tags where usable`,
  },
  status: {
    minAccounts: 5,
    recentHours: historyHours,
    halfLifeMs: 6 * hourMs,
    minScore: 0.3,
    subjects: sql`
      select s.id, s.language, s.created_at as started_at
      from statuses s join accounts a on a.id = s.account_id
      where ${isTrendableStatus} and a.discoverable and a.silenced_at is null and a.sensitized_at is null
        and a.suspended_at is null and a.deleted_at is null`,
  },
  link: {
    minAccounts: 5,
    recentHours: 24,
    halfLifeMs: 8 * hourMs,
    minScore: 1,
    subjects: sql`
      select id, language, null::timestamptz as started_at from preview_cards
      where type = 'link' and link_type = 'article' and title <> '' and description <> '' and provider_name <> ''
        and image_url is not null`,
  },
};
