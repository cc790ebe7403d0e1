import type { Generated, JSONColumnType } from 'kysely';
import type { AccountId, Id, RowId, StatusId } from '../platform/ids.ts';
import type { ReportId } from '../reports/index.ts';
import type { AccountWarning, WarningId } from './warnings/schema.ts';

export type AppealId = Id<'appeal'>;
export type WarningPresetId = Id<'warning-preset'>;
export type ModerationNoteId = Id<'moderation-note'>;

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
    /** The report that it answers. */
    report_id: ReportId | null;
    /** Whether it changed the state of the account. An appeal undoes only what the decision changed. */
    effective: Generated<boolean>;
    /** Statuses that it marked as sensitive, which were not before. */
    changed_status_ids: Generated<StatusId[]>;
    /** When staff lifted what it changed, or approved the appeal. */
    lifted_at: Date | null;
    created_at: Date;
  };
  /** What users wrote against decisions about them. */
  appeals: {
    id: AppealId;
    /** A decision is appealed once. */
    warning_id: WarningId;
    account_id: AccountId;
    text: string;
    state: Generated<'pending' | 'approved' | 'rejected'>;
    /** Null: pending, the command line, or an account that was deleted since. */
    decided_by_account_id: AccountId | null;
    decided_at: Date | null;
    created_at: Date;
  };
  /** Texts that staff reuse in decisions. */
  warning_presets: { id: WarningPresetId; title: string; text: string; created_at: Date; updated_at: Date };
  /** Notes of staff about an account, for staff only. */
  account_moderation_notes: {
    id: ModerationNoteId;
    account_id: AccountId;
    /** Null: the command line, or an account that was deleted since. */
    staff_id: AccountId | null;
    content: string;
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
