import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { staffAccountId, type Staff } from '../site/index.ts';
import { reportUpdated } from './events.ts';
import type { ReportId } from './tables.ts';

/**
 * Resolves the open reports about an account, or one of them, by a decision of staff. Returns the ids of those that were
 * open.
 */
export async function resolveReports(
  { db, emit }: Transaction,
  app: App,
  staff: Staff,
  { targetAccountId, reportId }: { readonly targetAccountId: AccountId; readonly reportId?: ReportId | undefined },
): Promise<ReportId[]> {
  const now = app.clock.now();
  const { rows } = await sql<{ id: ReportId }>`
    update reports
    set action_taken_at = ${now}, action_taken_by_account_id = ${staffAccountId(staff)}::bigint, updated_at = ${now}
    where target_account_id = ${targetAccountId} and action_taken_at is null
      and (${reportId ?? null}::bigint is null or id = ${reportId ?? null}::bigint)
    returning id`.execute(db);
  for (const { id } of rows) emit(reportUpdated({ reportId: id }));
  return rows.map(({ id }) => id);
}
