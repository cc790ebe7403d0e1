import { sql, type Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pagedQuery, pageEnds, type PageEnds } from '../../platform/database/paged-query.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { invalidField, notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import type { ReportId } from '../../reports/index.ts';
import { lockReport } from '../../reports/review/index.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import { staffAccountId, type Staff } from '../../site/index.ts';
import { cleanText, exceedsLimit } from '../../text/index.ts';
import { labelOf } from './report-label.ts';
import type { ReportNote } from './schema.ts';
import { writable, type ReportNoteId, type ReportNoteTables } from './tables.ts';

/** Characters (reference/limits.tsv: report note). */
const maxLength = 2_000;

type NoteRow = Selectable<ReportNoteTables['report_notes']> & { readonly username: string | null };

const notes = pagedQuery<NoteRow>()<{ readonly reportId: ReportId }>((db, args, order) =>
  db
    .selectFrom('report_notes')
    .leftJoin('accounts', 'accounts.id', 'report_notes.account_id')
    .selectAll('report_notes')
    .select('accounts.username')
    .where('report_id', '=', args.reportId)
    .where(sql<boolean>`report_notes.id < ${args.below}::bigint and report_notes.id > ${args.above}::bigint`)
    .orderBy(sql`report_notes.id ${order}`)
    .limit(sql<number>`${args.limit}`),
);

/** Returns a page of the notes about a report, latest first. Throws 404 if there is no such report. */
export async function listReportNotes(
  app: App,
  page: Page,
  reportId: ReportId,
): Promise<{ readonly notes: ReportNote[] } & PageEnds> {
  await app.db
    .selectFrom('reports')
    .select('id')
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow(() => notFound());
  const rows = await notes(app, page, { reportId });
  return { notes: rows.map(present), ...pageEnds(page, rows) };
}

/** Adds a note to a report. Throws 404 if there is no such report, 422 if the text is empty or too long. */
export function addReportNote(
  app: App,
  staff: Staff,
  { reportId, content: text }: { readonly reportId: ReportId; readonly content: string },
): Promise<ReportNote> {
  const content = cleanText(text).trim();
  if (content === '') throw invalidField('content', 'problems.blank');
  if (exceedsLimit(content, maxLength)) throw invalidField('content', 'problems.tooLong', { max: maxLength });
  return transaction(app, async (tx) => {
    const report = await lockReport(tx, reportId);
    const now = app.clock.now();
    const accountId = staffAccountId(staff);
    const note = await writable(tx.db)
      .insertInto('report_notes')
      .values({ id: newId<'report-note'>(now), report_id: reportId, account_id: accountId, content, created_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    recordStaffAction(tx, staff, {
      target: 'report_note',
      verb: 'create',
      id: note.id,
      label: await labelOf(tx, report),
      after: { report_id: reportId },
    });
    return present({ ...note, username: await usernameOf(tx, accountId) });
  });
}

/** Deletes a note. Throws 404 if the report has no such note. */
export function deleteReportNote(
  app: App,
  staff: Staff,
  { reportId, noteId }: { readonly reportId: ReportId; readonly noteId: ReportNoteId },
): Promise<void> {
  return transaction(app, async (tx) => {
    const report = await lockReport(tx, reportId);
    const { numDeletedRows } = await writable(tx.db)
      .deleteFrom('report_notes')
      .where('id', '=', noteId)
      .where('report_id', '=', reportId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw notFound();
    recordStaffAction(tx, staff, {
      target: 'report_note',
      verb: 'delete',
      id: noteId,
      label: await labelOf(tx, report),
      before: { report_id: reportId },
    });
  });
}

/** Removes the name of a deleted account from its notes. */
export async function anonymizeReportNotes({ db }: Transaction, accountId: AccountId): Promise<void> {
  await writable(db)
    .updateTable('report_notes')
    .set({ account_id: null })
    .where('account_id', '=', accountId)
    .execute();
}

async function usernameOf({ db }: Transaction, accountId: AccountId | null): Promise<string | null> {
  if (accountId === null) return null;
  const row = await db.selectFrom('accounts').select('username').where('id', '=', accountId).executeTakeFirst();
  return row?.username ?? null;
}

const present = ({ id, content, created_at, account_id: accountId, username }: NoteRow): ReportNote => ({
  id,
  content,
  created_at: created_at.toISOString(),
  author: accountId === null || username === null ? null : { id: accountId, username },
});
