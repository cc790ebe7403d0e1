import { writableTables } from '../platform/database/writable-tables.ts';

/** Names the work of a refresh: its kind, and the ids of what it refreshes. */
export type RefreshKey =
  | `context:${string}`
  | `outbox:${string}`
  | `home:${string}`
  | `account_search:${string}`
  | `recommendations:${string}`
  | `annual_report:${string}:${number}`;

export interface RefreshTables {
  /** Work in the background whose progress clients follow. */
  async_refreshes: {
    key: RefreshKey;
    /** Null if the results are not counted. */
    result_count: number | null;
    started_at: Date;
    /** Null while it is running. */
    finished_at: Date | null;
    expires_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<RefreshTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends RefreshTables {}
}
