import type { StatusId } from '../platform/ids.ts';
import { writableTables } from '../platform/database/writable-tables.ts';

export interface SearchTables {
  /** A row for each status that someone may search, updated by a job after the status. */
  status_search: {
    status_id: StatusId;
    /** See `buildTerms`. */
    terms: number[];
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<SearchTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends SearchTables {}
}
