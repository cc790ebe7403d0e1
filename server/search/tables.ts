import type { StatusId } from '../platform/ids.ts';

export interface SearchTables {
  /** A row for each status that someone may search, updated by a job after the status. */
  status_search: {
    status_id: StatusId;
    /** See `buildTerms`. */
    terms: number[];
  };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends SearchTables {}
}
