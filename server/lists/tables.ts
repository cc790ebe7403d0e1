import type { AccountId, ListId, RowId } from '../platform/ids.ts';
import type { RepliesPolicy } from './schema.ts';
import { writableTables } from '../platform/database/writable-tables.ts';

export interface ListTables {
  lists: {
    id: ListId;
    account_id: AccountId;
    title: string;
    replies_policy: RepliesPolicy;
    /** The statuses of members appear in this list instead of the owner's home. */
    exclusive: boolean;
    created_at: Date;
  };
  list_accounts: {
    id: RowId;
    list_id: ListId;
    /** The member. */
    account_id: AccountId;
    /** Owner of the list. The database keeps it and `exclusive` equal to those of the list. */
    owner_id: AccountId;
    exclusive: boolean;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<ListTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends ListTables {}
}
