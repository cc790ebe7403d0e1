import type { AccountId, StatusId } from '../platform/ids.ts';

export interface SearchTables {
  /** A row for each searchable status, updated by a job after the status. */
  status_search: {
    status_id: StatusId;
    account_id: AccountId;
    /** tsvector. */
    words: string;
  };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends SearchTables {}
}
