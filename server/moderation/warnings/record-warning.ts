import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type StatusId } from '../../platform/ids.ts';
import type { ReportId } from '../../reports/index.ts';
import { staffAccountId, type Staff } from '../../site/index.ts';
import { accountWarned } from '../events.ts';
import { writable } from '../tables.ts';
import type { AccountWarning, WarningId } from './schema.ts';

export interface NewWarning {
  readonly accountId: AccountId;
  readonly action: AccountWarning['action'];
  /** The message of staff. */
  readonly text: string;
  /** The statuses that it is about. */
  readonly statusIds?: readonly StatusId[] | undefined;
  readonly reportId?: ReportId | undefined;
  /** Whether it changed the state of the account. */
  readonly effective: boolean;
  /** Statuses that it marked as sensitive. */
  readonly changedStatusIds?: readonly StatusId[];
  /** Whether the user is notified. */
  readonly notify: boolean;
}

/** Stores what staff decided about an account, and returns the id. */
export async function recordWarning(
  { db, emit }: Transaction,
  app: App,
  staff: Staff,
  { accountId, action, text, statusIds, reportId, effective, changedStatusIds = [], notify }: NewWarning,
): Promise<WarningId> {
  const now = app.clock.now();
  const id = newId<'warning'>(now);
  await writable(db)
    .insertInto('account_warnings')
    .values({
      id,
      account_id: accountId,
      staff_id: staffAccountId(staff),
      action,
      text,
      status_ids: statusIds === undefined ? null : [...statusIds],
      report_id: reportId ?? null,
      effective,
      changed_status_ids: [...changedStatusIds],
      created_at: now,
    })
    .execute();
  if (notify) emit(accountWarned({ warningId: id, accountId }));
  return id;
}
