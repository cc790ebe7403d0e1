import { sql } from 'kysely';
import type { StatusId } from '../platform/ids.ts';

/**
 * What is counted about a status, as JSON. Counters change far more often than the rest: those who change them say what
 * they are now, and what is cached of the status is kept.
 */
export interface StatusCounters {
  readonly id: StatusId;
  /** Rises with each change; 0 while there was none. */
  readonly version: number;
  /** Members of the JSON of the status, without braces. */
  readonly text: string;
}

const columns = ['status_id', 'version', 'replies_count', 'reblogs_count', 'favourites_count', 'quotes_count'] as const;

/** What `countersOf` reads of `status_stats`, for the `returning` of a statement that changes some, and what reads that. */
export const counterColumns = sql.join(columns.map((name) => sql.ref(name)));

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
    text: `"replies_count":${row.replies_count ?? 0},"reblogs_count":${row.reblogs_count ?? 0},"favourites_count":${row.favourites_count ?? 0},"quotes_count":${row.quotes_count ?? 0}`,
  };
}

export const hasNewerCounters = (one: StatusCounters, other: StatusCounters): boolean => one.version > other.version;
