import type { Updateable } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { reportUpdated } from '../events.ts';
import type { ReportCategory } from '../schema.ts';
import { writable, type ReportId, type ReportTables } from '../tables.ts';
import type { ReportRow } from './lock-report.ts';

/** Changes the category of a locked report, with the broken rules of a violation. */
export function changeCategory(
  tx: Transaction,
  app: App,
  { id }: ReportRow,
  { category, ruleIds }: { readonly category: ReportCategory; readonly ruleIds: readonly string[] | null },
): Promise<ReportRow> {
  return update(tx, app, id, { category, rule_ids: ruleIds && [...ruleIds] });
}

/** Assigns a locked report to a staff member, or to nobody. */
export function assignReport(
  tx: Transaction,
  app: App,
  { id }: ReportRow,
  assigneeId: AccountId | null,
): Promise<ReportRow> {
  return update(tx, app, id, { assigned_account_id: assigneeId });
}

/** Closes a locked report. `staffId` is null for the command line. */
export function resolveReport(
  tx: Transaction,
  app: App,
  { id }: ReportRow,
  staffId: AccountId | null,
): Promise<ReportRow> {
  return update(tx, app, id, { action_taken_at: app.clock.now(), action_taken_by_account_id: staffId });
}

/** Opens a locked report again. */
export function reopenReport(tx: Transaction, app: App, { id }: ReportRow): Promise<ReportRow> {
  return update(tx, app, id, { action_taken_at: null, action_taken_by_account_id: null });
}

async function update(
  { db, emit }: Transaction,
  app: App,
  id: ReportId,
  changes: Updateable<ReportTables['reports']>,
): Promise<ReportRow> {
  emit(reportUpdated({ reportId: id }));
  return writable(db)
    .updateTable('reports')
    .set({ ...changes, updated_at: app.clock.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
