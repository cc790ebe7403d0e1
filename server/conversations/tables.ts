import type { Generated } from 'kysely';
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

declare module '../platform/database/tables.ts' {
  interface Tables extends ConversationTables {}
}
