import type { AccountId, StatusId } from '../platform/ids.ts';

export interface SearchTables {
  /** A row for each status that can be found by its words; follows the status a moment later. */
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
