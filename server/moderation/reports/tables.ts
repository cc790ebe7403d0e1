import type { AccountId, Id } from '../../platform/ids.ts';
import type { ReportId } from '../../reports/index.ts';
import { writableTables } from '../../platform/database/writable-tables.ts';

export type ReportNoteId = Id<'report-note'>;

export interface ReportNoteTables {
  /** What staff write down about a report. */
  report_notes: {
    id: ReportNoteId;
    report_id: ReportId;
    /** Null: the command line, or an account that was deleted since. */
    account_id: AccountId | null;
    content: string;
    created_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<ReportNoteTables>();

declare module '../../platform/database/tables.ts' {
  interface Tables extends ReportNoteTables {}
}
