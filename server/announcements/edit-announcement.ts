import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { recordStaffUpdate } from '../site/audit/index.ts';
import type { Staff } from '../site/index.ts';
import { announcementDetails } from './announcement-details.ts';
import { formatAnnouncement } from './format-announcement.ts';
import { lockAnnouncement } from './lock-announcement.ts';
import { parseTimes, type AnnouncementInput } from './parse-announcement.ts';
import { writable, type AnnouncementId } from './tables.ts';
import { updatePublication } from './update-publication.ts';

/**
 * Changes an announcement. A published one whose start is moved ahead is withdrawn until then. Throws 404 if it does not
 * exist, 422 for invalid values.
 */
export async function editAnnouncement(
  app: App,
  staff: Staff,
  id: AnnouncementId,
  input: AnnouncementInput,
): Promise<void> {
  const formatted = input.text === undefined ? {} : await formatAnnouncement(app, input.text);
  const now = app.clock.now();
  await transaction(app, async (tx) => {
    const current = await lockAnnouncement(tx, id);
    const changes = { ...formatted, ...parseTimes(input, now, current) };
    await writable(tx.db)
      .updateTable('announcements')
      .set({ ...changes, updated_at: now })
      .where('id', '=', id)
      .execute();
    await updatePublication(tx, app, id, { isEdited: true });
    recordStaffUpdate(tx, staff, {
      target: 'announcement',
      verb: 'update',
      id,
      label: current.text,
      before: announcementDetails(current),
      after: announcementDetails({ ...current, ...changes }),
    });
  });
}
