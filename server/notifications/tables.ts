import type { Generated } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, AnyId, CollectionId, NotificationId, StatusId } from '../platform/ids.ts';
import type { Policy } from './policy/policy.ts';
import type { RequestId } from './requests/schema.ts';

export interface NotificationTables {
  notifications: {
    account_id: AccountId;
    id: NotificationId;
    /** A `NotificationType`. */
    type: string;
    from_account_id: AccountId;
    status_id: StatusId | null;
    collection_id: Generated<CollectionId | null>;
    /** What it is about other than a status or collection, in the table that its type names. */
    subject_id: Generated<AnyId | null>;
    /** Null: not grouped. */
    group_key: string | null;
    filtered: Generated<boolean>;
    created_at: Date;
  };
  /** No row: the default policy. */
  notification_policies: { account_id: AccountId } & { [Name in keyof Policy]: Generated<Policy[Name]> };
  /** Senders whose requests were accepted: the policy no longer applies to them. */
  notification_permissions: {
    account_id: AccountId;
    from_account_id: AccountId;
    /** Whether filtered notifications of the sender still wait to be listed. */
    merging: boolean;
    created_at: Date;
  };
  /** Senders of filtered mentions and quotes. */
  notification_requests: {
    account_id: AccountId;
    /** The first notification that it counts. Earlier ones belong to a dismissed request. */
    id: RequestId;
    from_account_id: AccountId;
    last_status_id: StatusId | null;
    /** At most 100. */
    notifications_count: number;
    created_at: Date;
    updated_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<NotificationTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends NotificationTables {}
}
