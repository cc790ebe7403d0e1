import type { Generated, JSONColumnType } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, Id, RowId, StatusId } from '../platform/ids.ts';
import type { ReportId } from '../reports/index.ts';
import type { AccountWarning, WarningId } from './warnings/schema.ts';

export type AppealId = Id<'appeal'>;
export type WarningPresetId = Id<'warning-preset'>;
export type ModerationNoteId = Id<'moderation-note'>;
export type DomainListId = Id<'domain-list'>;

type Severity = 'noop' | 'silence' | 'suspend';

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
    /** When staff undid the decision, or approved the appeal against it. */
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
  /** Lists of domain blocks that others maintain. */
  domain_lists: {
    id: DomainListId;
    /** Address of a CSV file in the format of Mastodon's exports. */
    url: string;
    /** Whether changes of the list are applied without staff. */
    automatic: boolean;
    created_at: Date;
    /** Null: not fetched yet. */
    fetched_at: Date | null;
    next_fetch_at: Date;
    failures: Generated<number>;
    /** Why the last version could not be fetched, or was not applied. */
    last_error: string | null;
  };
  domain_list_entries: {
    list_id: DomainListId;
    domain: string;
    severity: Severity;
    reject_media: boolean;
    reject_reports: boolean;
    obfuscate: boolean;
    public_comment: string | null;
    /** Whether the last version of the list has it. */
    listed: boolean;
    /** Staff decided against it. */
    excepted: Generated<boolean>;
    /** The block that was created for it. Null: none was. */
    block_id: RowId | null;
    /** What was applied. A block that differs was changed by staff, and stays. */
    applied_severity: Severity | null;
    applied_reject_media: boolean | null;
    applied_reject_reports: boolean | null;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<ModerationTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends ModerationTables {}
}
