import { sql } from 'kysely';
import type { StatusId } from '../../platform/ids.ts';

/**
 * The counters of a status as JSON. They change far more often than the rest of a status, so caches patch them
 * (docs/decisions/0028).
 */
export interface StatusCounters {
  readonly id: StatusId;
  /** Rises with each change; 0 before the first one. */
  readonly version: number;
  /** Members of the JSON of the status, each after a comma. */
  readonly jsonMembers: string;
  /** When the server of a remote status was last asked for its counts, or sent them, in milliseconds. */
  readonly originCountedAt?: number;
}

const columns = [
  'status_id',
  'version',
  'replies_count',
  'reblogs_count',
  'favourites_count',
  'quotes_count',
  'unseen_replies_count',
  'unseen_reblogs_count',
  'unseen_favourites_count',
  'origin_counted_at',
] as const;

/** The columns of a `CounterRow`, for `select` and `returning`. */
export const counterColumns = sql.join(columns.map((name) => sql.ref(name)));

/** A row of `status_stats`; the columns are null if the status has none. */
export interface CounterRow {
  readonly status_id: StatusId;
  readonly version: number | null;
  readonly replies_count: number | null;
  readonly reblogs_count: number | null;
  readonly favourites_count: number | null;
  readonly quotes_count: number | null;
  readonly unseen_replies_count: number | null;
  readonly unseen_reblogs_count: number | null;
  readonly unseen_favourites_count: number | null;
  readonly origin_counted_at: Date | null;
}

/** Counts what is known here and, of a remote status, what its server counts in addition. */
export function buildCounters(row: CounterRow): StatusCounters {
  const unseen = (count: number | null): number => Math.max(count ?? 0, 0);
  const [replies, reblogs, favourites] = [
    unseen(row.unseen_replies_count),
    unseen(row.unseen_reblogs_count),
    unseen(row.unseen_favourites_count),
  ];
  const mark = replies + reblogs + favourites > 0 ? ',"counts_from_origin":true' : '';
  return {
    id: row.status_id,
    version: row.version ?? 0,
    jsonMembers: `,"replies_count":${(row.replies_count ?? 0) + replies},"reblogs_count":${(row.reblogs_count ?? 0) + reblogs},"favourites_count":${(row.favourites_count ?? 0) + favourites},"quotes_count":${row.quotes_count ?? 0}${mark}`,
    ...(row.origin_counted_at !== null && { originCountedAt: row.origin_counted_at.getTime() }),
  };
}

export const hasNewerCounters = (one: StatusCounters, other: StatusCounters): boolean => one.version > other.version;
