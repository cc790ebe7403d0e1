import type { JSONColumnType } from 'kysely';
import type { AccountId, RowId, StatusId } from '../platform/ids.ts';
import type { AccountWarning, WarningId } from './warnings/schema.ts';

export interface ModerationTables {
  /** Decisions of staff about an account. */
  account_warnings: {
    id: WarningId;
    account_id: AccountId;
    /** Null: the command line. */
    staff_id: AccountId | null;
    action: AccountWarning['action'];
    text: string;
    /** Null: it is about the account as a whole. */
    status_ids: StatusId[] | null;
    created_at: Date;
  };
  /** What staff changed. */
  audit_log: {
    id: RowId;
    /** Null: the command line, or an account that was deleted since. */
    staff_id: AccountId | null;
    /** Username at the time. Null: the command line. */
    staff_name: string | null;
    action: string;
    target_type: string;
    target_id: string | null;
    target_label: string;
    before: JSONColumnType<Record<string, unknown>> | null;
    after: JSONColumnType<Record<string, unknown>> | null;
    created_at: Date;
  };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends ModerationTables {}
}
