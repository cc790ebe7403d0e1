import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { defineJob } from '../platform/work/define-job.ts';
import { idSchema } from '../platform/id-schema.ts';
import { announcementEdited, announcementPublished, announcementUnpublished } from './events.ts';
import { publicationAt } from './publication.ts';
import { writable, type AnnouncementId } from './tables.ts';

/** Publishes or withdraws an announcement when its time comes. Idempotent: its row decides. */
export const updatePublicationJob = defineJob(
  'announcement.update_publication',
  Type.Object({ announcementId: idSchema<'announcement'>() }),
  (app, { announcementId }) => transaction(app, (tx) => updatePublication(tx, app, announcementId)),
);

/**
 * Publishes or withdraws an announcement as its times require, once however many processes do it, and stores a job for
 * the next change. No-op if it does not exist. `isEdited`: one that stays published changed.
 */
export async function updatePublication(
  tx: Transaction,
  app: App,
  announcementId: AnnouncementId,
  { isEdited = false }: { isEdited?: boolean } = {},
): Promise<void> {
  const row = await tx.db
    .selectFrom('announcements')
    .select(['starts_at', 'ends_at', 'all_day', 'scheduled_at', 'draft', 'published_at'])
    .where('id', '=', announcementId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return;
  const now = app.clock.now();
  const { isPublished, changesAt } = publicationAt(row, now);
  if (changesAt !== undefined) tx.enqueue(updatePublicationJob({ announcementId }, { runAt: changesAt }));
  const wasPublished = row.published_at !== null;
  if (isPublished !== wasPublished) {
    await writable(tx.db)
      .updateTable('announcements')
      .set({ published_at: isPublished ? now : null })
      .where('id', '=', announcementId)
      .execute();
    tx.emit((isPublished ? announcementPublished : announcementUnpublished)({ announcementId }));
  } else if (isPublished && isEdited) tx.emit(announcementEdited({ announcementId }));
}
