import type { Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AnnouncementRow } from './find-announcements.ts';
import type { AnnouncementId } from './tables.ts';

/** Locks and returns an announcement that staff change. Throws 404 if it does not exist. */
export function lockAnnouncement({ db }: Transaction, id: AnnouncementId): Promise<AnnouncementRow> {
  return db
    .selectFrom('announcements')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}
