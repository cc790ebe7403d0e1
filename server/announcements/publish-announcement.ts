import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { notFound, invalidField } from '../platform/http/http-errors.ts';
import { expiryOf } from './publication.ts';
import type { AnnouncementId } from './tables.ts';
import { updatePublication } from './update-publication.ts';

/**
 * Publishes a draft or a scheduled announcement now, or at its start if that is ahead (ANN-01). No-op if it is published.
 * Throws 404 if it does not exist, 422 if it has expired.
 */
export function publishAnnouncement(app: App, id: AnnouncementId): Promise<void> {
  return transaction(app, async (tx) => {
    const row = await tx.db
      .updateTable('announcements')
      .set({ draft: false, scheduled_at: null })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    const expiry = expiryOf(row);
    if (expiry !== undefined && expiry <= app.clock.now()) throw invalidField('ends_at', 'problems.mustBeInFuture');
    await updatePublication(tx, app, id);
  });
}

/** Withdraws an announcement, which stays as a draft with its reactions. Throws 404 if it does not exist. */
export function unpublishAnnouncement(app: App, id: AnnouncementId): Promise<void> {
  return transaction(app, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('announcements')
      .set({ draft: true, scheduled_at: null })
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound();
    await updatePublication(tx, app, id);
  });
}
