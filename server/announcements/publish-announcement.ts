import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { invalidField } from '../platform/http/http-errors.ts';
import { recordStaffUpdate } from '../site/audit/index.ts';
import type { Staff } from '../site/index.ts';
import { announcementDetails } from './announcement-details.ts';
import type { AnnouncementRow } from './find-announcements.ts';
import { lockAnnouncement } from './lock-announcement.ts';
import { expiryOf } from './publication.ts';
import { writable, type AnnouncementId } from './tables.ts';
import { updatePublication } from './update-publication.ts';

/**
 * Publishes a draft or a scheduled announcement now, or at its start if that is ahead (ANN-01). No-op if it is published.
 * Throws 404 if it does not exist, 422 if it has expired.
 */
export function publishAnnouncement(app: App, staff: Staff, id: AnnouncementId): Promise<void> {
  return transaction(app, async (tx) => {
    const row = await lockAnnouncement(tx, id);
    const expiry = expiryOf(row);
    if (expiry !== undefined && expiry <= app.clock.now()) throw invalidField('ends_at', 'problems.mustBeInFuture');
    await setDraft(tx, app, staff, { row, draft: false });
  });
}

/** Withdraws an announcement, which stays as a draft with its reactions. Throws 404 if it does not exist. */
export function unpublishAnnouncement(app: App, staff: Staff, id: AnnouncementId): Promise<void> {
  return transaction(app, async (tx) => {
    await setDraft(tx, app, staff, { row: await lockAnnouncement(tx, id), draft: true });
  });
}

async function setDraft(
  tx: Transaction,
  app: App,
  staff: Staff,
  { row, draft }: { readonly row: AnnouncementRow; readonly draft: boolean },
): Promise<void> {
  const changes = { draft, scheduled_at: null };
  await writable(tx.db).updateTable('announcements').set(changes).where('id', '=', row.id).execute();
  await updatePublication(tx, app, row.id);
  recordStaffUpdate(tx, staff, {
    target: 'announcement',
    verb: draft ? 'unpublish' : 'publish',
    id: row.id,
    label: row.text,
    before: announcementDetails(row),
    after: announcementDetails({ ...row, ...changes }),
  });
}
