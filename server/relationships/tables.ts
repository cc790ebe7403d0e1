import type { Generated } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, RowId } from '../platform/ids.ts';
import type { RelationshipSeveranceEvent, SeveranceId } from './severances/schema.ts';

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
  /** Follows that an account lost at once. */
  relationship_severances: {
    id: SeveranceId;
    account_id: AccountId;
    type: RelationshipSeveranceEvent['type'];
    /** The domain, or the address of the account. */
    target_name: string;
    /** The block or the event behind it. */
    cause_id: RowId;
    followers_count: number;
    following_count: number;
    /** Whether the follows behind the numbers are not stored. */
    purged: Generated<boolean>;
    created_at: Date;
  };
  /** The follows behind the numbers of a severance. */
  severed_follows: {
    severance_id: SeveranceId;
    /** The account on the other side. */
    account_id: AccountId;
    /** Whether that account was the follower. */
    is_follower: boolean;
    show_reblogs: boolean;
    notify: boolean;
    /** Null: all languages. */
    languages: string[] | null;
  };
  endorsements: { id: RowId; account_id: AccountId; target_account_id: AccountId; created_at: Date };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<RelationshipTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends RelationshipTables {}
}
