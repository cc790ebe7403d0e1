import type { AccountId, StatusId } from '../platform/ids.ts';
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
}

declare module '../platform/database/tables.ts' {
  interface Tables extends ModerationTables {}
}
