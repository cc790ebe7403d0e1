import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { announcementUnpublished } from './events.ts';
import type { AnnouncementId } from './tables.ts';

/** Deletes an announcement. Its reactions go without updates (ANN-02). Throws 404 if it does not exist. */
export function deleteAnnouncement(app: App, id: AnnouncementId): Promise<void> {
  return transaction(app, async (tx) => {
    const row = await tx.db
      .deleteFrom('announcements')
      .where('id', '=', id)
      .returning('published_at')
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    if (row.published_at !== null) tx.emit(announcementUnpublished({ announcementId: id }));
  });
}
