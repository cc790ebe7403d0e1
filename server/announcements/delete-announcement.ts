import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { recordStaffAction } from '../site/audit/index.ts';
import type { Staff } from '../site/index.ts';
import { announcementDetails } from './announcement-details.ts';
import { announcementUnpublished } from './events.ts';
import { lockAnnouncement } from './lock-announcement.ts';
import { writable, type AnnouncementId } from './tables.ts';

/** Deletes an announcement. Its reactions go without updates (ANN-02). Throws 404 if it does not exist. */
export function deleteAnnouncement(app: App, staff: Staff, id: AnnouncementId): Promise<void> {
  return transaction(app, async (tx) => {
    const row = await lockAnnouncement(tx, id);
    await writable(tx.db).deleteFrom('announcements').where('id', '=', id).execute();
    if (row.published_at !== null) tx.emit(announcementUnpublished({ announcementId: id }));
    recordStaffAction(tx, staff, {
      target: 'announcement',
      verb: 'delete',
      id,
      label: row.text,
      before: announcementDetails(row),
    });
  });
}
