import type { AccountId, ListId, RowId } from '../platform/ids.ts';
import type { RepliesPolicy } from './schema.ts';

export interface ListTables {
  lists: {
    id: ListId;
    account_id: AccountId;
    title: string;
    replies_policy: RepliesPolicy;
    /** The members' posts are in this timeline instead of the owner's home. */
    exclusive: boolean;
    created_at: Date;
  };
  list_accounts: {
    id: RowId;
    list_id: ListId;
    /** The member. */
    account_id: AccountId;
    /** Of the list; the database keeps it equal, as it does `exclusive`. */
    owner_id: AccountId;
    exclusive: boolean;
  };
}
