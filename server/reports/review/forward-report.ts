import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { reportForwarded, reportUpdated } from '../events.ts';
import { writable } from '../tables.ts';
import type { ReportRow } from './lock-report.ts';

/** Sends a copy of a locked report to the server of its account, without the name of the reporter. */
export function forwardReport(
  { db, emit }: Transaction,
  app: App,
  { id, forward_domains: domains }: ReportRow,
  domain: string,
): Promise<ReportRow> {
  emit(reportForwarded({ reportId: id, domain }));
  emit(reportUpdated({ reportId: id }));
  return writable(db)
    .updateTable('reports')
    .set({ forwarded: true, forward_domains: [...new Set([...domains, domain])], updated_at: app.clock.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
