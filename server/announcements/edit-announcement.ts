import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { formatAnnouncement } from './format-announcement.ts';
import { parseTimes, type AnnouncementInput } from './parse-announcement.ts';
import type { AnnouncementId } from './tables.ts';
import { updatePublication } from './update-publication.ts';

/**
 * Changes an announcement. A published one whose start is moved ahead is withdrawn until then. Throws 404 if it does not
 * exist, 422 for invalid values.
 */
export async function editAnnouncement(app: App, id: AnnouncementId, input: AnnouncementInput): Promise<void> {
  const formatted = input.text === undefined ? {} : await formatAnnouncement(app, input.text);
  const now = app.clock.now();
  await transaction(app, async (tx) => {
    const current = await tx.db
      .selectFrom('announcements')
      .select(['starts_at', 'ends_at', 'all_day', 'scheduled_at', 'draft'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (current === undefined) throw notFound();
    const times = parseTimes(input, now, current);
    await tx.db
      .updateTable('announcements')
      .set({ ...formatted, ...times, updated_at: now })
      .where('id', '=', id)
      .execute();
    await updatePublication(tx, app, id, { isEdited: true });
  });
}
