import type { Generated } from 'kysely';
import type { AccountId, CollectionId, NotificationId, StatusId } from '../platform/ids.ts';

export interface NotificationTables {
  notifications: {
    account_id: AccountId;
    id: NotificationId;
    /** A `NotificationType`. */
    type: string;
    from_account_id: AccountId;
    status_id: StatusId | null;
    collection_id: Generated<CollectionId | null>;
    /** Null: not grouped. */
    group_key: string | null;
    filtered: Generated<boolean>;
    created_at: Date;
  };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends NotificationTables {}
}
