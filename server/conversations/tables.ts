import type { Generated } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, ConversationId, RowId, StatusId } from '../platform/ids.ts';

export interface ConversationTables {
  /** Direct statuses of an account: a row for each conversation and set of other participants. */
  account_conversations: {
    id: RowId;
    account_id: AccountId;
    conversation_id: ConversationId;
    /** The other participants, in ascending order; empty for notes to oneself. */
    participant_ids: AccountId[];
    /** Statuses, in ascending order. */
    status_ids: StatusId[];
    last_status_id: StatusId;
    unread: boolean;
    /** Optimistic lock: rises with every change. */
    lock_version: Generated<number>;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<ConversationTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends ConversationTables {}
}
