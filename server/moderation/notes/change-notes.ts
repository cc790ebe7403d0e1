import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { invalidField, notFound } from '../../platform/http/http-errors.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import { staffAccountId, type Staff } from '../../site/index.ts';
import { exceedsLimit } from '../../text/index.ts';
import { assertOutranks } from '../../users/access/index.ts';
import { loadModerationState } from '../moderation-state.ts';
import { writable, type ModerationNoteId } from '../tables.ts';
import { presentNote } from './list-notes.ts';
import type { ModerationNote } from './schema.ts';

/** Characters. */
const maxContentLength = 2_000;

/** Stores a note about an account. Throws 404 if there is none, 422 if the text is blank or too long. */
export function createNote(
  app: App,
  staff: Staff,
  { accountId, content }: { readonly accountId: AccountId; readonly content: string },
): Promise<ModerationNote> {
  const text = content.trim();
  if (text === '') throw invalidField('content', 'problems.blank');
  if (exceedsLimit(text, maxContentLength))
    throw invalidField('content', 'problems.tooLong', { max: maxContentLength });
  return transaction(app, async (tx) => {
    const account = await loadModerationState(tx, accountId);
    if (account === undefined) throw notFound();
    const now = app.clock.now();
    const note = { id: newId<'moderation-note'>(now), content: text, created_at: now, staff_id: staffAccountId(staff) };
    await writable(tx.db)
      .insertInto('account_moderation_notes')
      .values({ ...note, account_id: accountId })
      .execute();
    recordStaffAction(tx, staff, { target: 'account_note', verb: 'create', id: note.id, label: account.acct });
    return presentNote(note);
  });
}

/** Deletes a note. Throws 404 if there is none, 403 unless the staff member wrote it or outranks its author. */
export function deleteNote(app: App, staff: Staff, id: ModerationNoteId): Promise<void> {
  return transaction(app, async (tx) => {
    const note = await writable(tx.db)
      .deleteFrom('account_moderation_notes')
      .where('id', '=', id)
      .returning(['account_id', 'staff_id'])
      .executeTakeFirstOrThrow(() => notFound());
    if (note.staff_id !== null && note.staff_id !== staff) await assertOutranks(tx, staff, note.staff_id);
    const account = await loadModerationState(tx, note.account_id);
    recordStaffAction(tx, staff, {
      target: 'account_note',
      verb: 'delete',
      id,
      label: account?.acct ?? note.account_id,
    });
  });
}
