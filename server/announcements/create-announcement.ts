import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { newId } from '../platform/ids.ts';
import { recordStaffAction } from '../site/audit/index.ts';
import type { Staff } from '../site/index.ts';
import { announcementDetails } from './announcement-details.ts';
import { formatAnnouncement } from './format-announcement.ts';
import { parseTimes, type AnnouncementInput } from './parse-announcement.ts';
import { writable, type AnnouncementId } from './tables.ts';
import { updatePublication } from './update-publication.ts';

/**
 * Creates an announcement and returns its id. It is published at once, or when its start and its schedule have come
 * (ANN-01). Throws 422 for invalid values.
 */
export async function createAnnouncement(app: App, staff: Staff, input: AnnouncementInput): Promise<AnnouncementId> {
  const now = app.clock.now();
  const times = parseTimes(input, now);
  const formatted = await formatAnnouncement(app, input.text ?? '');
  const id = newId<'announcement'>(now);
  await transaction(app, async (tx) => {
    await writable(tx.db)
      .insertInto('announcements')
      .values({ id, ...formatted, ...times, created_at: now, updated_at: now })
      .execute();
    await updatePublication(tx, app, id);
    recordStaffAction(tx, staff, {
      target: 'announcement',
      verb: 'create',
      id,
      label: formatted.text,
      after: announcementDetails({ ...formatted, ...times }),
    });
  });
  return id;
}
