import type { Generated } from 'kysely';
import type { AccountId, ConversationId, RowId, StatusId } from '../platform/ids.ts';

export interface ConversationTables {
  /** Direct posts as someone lists them: a row for each conversation and set of others who take part. */
  account_conversations: {
    id: RowId;
    account_id: AccountId;
    conversation_id: ConversationId;
    /** The others, in ascending order; empty for notes to oneself. */
    participant_ids: AccountId[];
    /** Its posts, in ascending order. */
    status_ids: StatusId[];
    /** The last of them. */
    last_status_id: StatusId;
    unread: boolean;
    /** Grows with each change, so that nobody writes over what they did not see. */
    lock_version: Generated<number>;
  };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends ConversationTables {}
}
