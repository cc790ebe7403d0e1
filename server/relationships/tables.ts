import type { Generated } from 'kysely';
import type { AccountId, RowId } from '../platform/ids.ts';

interface FollowColumns {
  id: RowId;
  account_id: AccountId;
  target_account_id: AccountId;
  show_reblogs: Generated<boolean>;
  notify: Generated<boolean>;
  /** Null: all languages. */
  languages: string[] | null;
  /** Id of a remote Follow activity. */
  uri: string | null;
  created_at: Date;
}

export interface RelationshipTables {
  follows: FollowColumns;
  follow_requests: FollowColumns;
  blocks: { id: RowId; account_id: AccountId; target_account_id: AccountId; uri: string | null; created_at: Date };
  mutes: {
    id: RowId;
    account_id: AccountId;
    target_account_id: AccountId;
    hide_notifications: Generated<boolean>;
    /** Null: never. A mute past it has no effect. */
    expires_at: Date | null;
    created_at: Date;
  };
  account_domain_blocks: { id: RowId; account_id: AccountId; domain: string; created_at: Date };
  endorsements: { id: RowId; account_id: AccountId; target_account_id: AccountId; created_at: Date };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends RelationshipTables {}
}
