import type { App } from '../../platform/app.ts';
import { pageEnds, pagedQuery, selectPage, type PageEnds } from '../../platform/database/paged-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ModerationNoteId } from '../tables.ts';
import type { ModerationNote } from './schema.ts';

export interface NoteRow {
  readonly id: ModerationNoteId;
  readonly content: string;
  readonly created_at: Date;
  readonly staff_id: AccountId | null;
}

const noteRows = pagedQuery<NoteRow>()<{ accountId: AccountId }>((db, args, order) =>
  selectPage(
    db
      .selectFrom('account_moderation_notes')
      .select(['id', 'content', 'created_at', 'staff_id'])
      .where('account_id', '=', args.accountId),
    args,
    order,
  ),
);

/** Returns a page of the notes about an account, newest first. */
export async function listNotes(
  app: App,
  accountId: AccountId,
  page: Page,
): Promise<{ readonly notes: ModerationNote[] } & PageEnds> {
  const rows = await noteRows(app, page, { accountId });
  return { notes: rows.map(presentNote), ...pageEnds(page, rows) };
}

export const presentNote = ({ id, content, created_at: createdAt, staff_id: staffId }: NoteRow): ModerationNote => ({
  id,
  content,
  created_at: createdAt.toISOString(),
  staff_account_id: staffId,
});
