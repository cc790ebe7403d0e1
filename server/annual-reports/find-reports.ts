import type { Selectable } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import type { AccountYear } from './posts-of-year.ts';
import { writable, type AnnualReportTables } from './tables.ts';

export type ReportRow = Selectable<AnnualReportTables['annual_reports']>;

/** Returns the report of an account about a year; undefined if there is none. */
export function findReport({ db }: App, { accountId, year }: AccountYear): Promise<ReportRow | undefined> {
  return db
    .selectFrom('annual_reports')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('year', '=', year)
    .executeTakeFirst();
}

/** Returns the reports that an account has not seen, newest first. */
export function listUnseenReports({ db }: App, accountId: AccountId): Promise<ReportRow[]> {
  return db
    .selectFrom('annual_reports')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('viewed_at', 'is', null)
    .orderBy('year', 'desc')
    .execute();
}

/** Records that an account has seen its report. Throws 404 if there is none. */
export async function markReportSeen(app: App, { accountId, year }: AccountYear): Promise<void> {
  const { numUpdatedRows } = await transaction(app, ({ db }) =>
    writable(db)
      .updateTable('annual_reports')
      .set({ viewed_at: app.clock.now() })
      .where('account_id', '=', accountId)
      .where('year', '=', year)
      .executeTakeFirst(),
  );
  if (numUpdatedRows === 0n) throw notFound();
}
