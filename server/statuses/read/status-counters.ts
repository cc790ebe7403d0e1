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
}

const columns = ['status_id', 'version', 'replies_count', 'reblogs_count', 'favourites_count', 'quotes_count'] as const;

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
}

export function buildCounters(row: CounterRow): StatusCounters {
  return {
    id: row.status_id,
    version: row.version ?? 0,
    jsonMembers: `,"replies_count":${row.replies_count ?? 0},"reblogs_count":${row.reblogs_count ?? 0},"favourites_count":${row.favourites_count ?? 0},"quotes_count":${row.quotes_count ?? 0}`,
  };
}

export const hasNewerCounters = (one: StatusCounters, other: StatusCounters): boolean => one.version > other.version;
