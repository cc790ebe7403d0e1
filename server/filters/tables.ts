import type { AccountId, FilterId, FilterKeywordId, FilterStatusId, StatusId } from '../platform/ids.ts';
import type { FilterAction, FilterContext } from './schema.ts';
import { writableTables } from '../platform/database/writable-tables.ts';

export interface FilterTables {
  filters: {
    id: FilterId;
    account_id: AccountId;
    title: string;
    /** Where clients apply it. The server reports matches everywhere. */
    context: FilterContext[];
    action: FilterAction;
    /** The filter no longer matches from then on; null: never expires. */
    expires_at: Date | null;
    created_at: Date;
  };
  filter_keywords: {
    id: FilterKeywordId;
    filter_id: FilterId;
    /** As the user wrote it. */
    keyword: string;
    whole_word: boolean;
  };
  /** Single statuses that match a filter whatever their text. */
  filter_statuses: {
    id: FilterStatusId;
    filter_id: FilterId;
    status_id: StatusId;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<FilterTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends FilterTables {}
}
