import { sql } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { MediaId, StatusId } from '../../platform/ids.ts';

/**
 * Deletes the rows of remote attachments: those of these statuses, and `mediaIds`, which earlier versions of them had. Files
 * in the cache of the proxy are evicted as usual.
 */
export async function deleteRemoteMedia(
  { db }: Transaction,
  statusIds: readonly StatusId[],
  mediaIds: readonly MediaId[],
): Promise<void> {
  await sql`delete from media_attachments where status_id = any(${statusIds}::bigint[]) and remote_url is not null`.execute(
    db,
  );
  if (mediaIds.length === 0) return;
  await sql`delete from media_attachments where id = any(${mediaIds}::bigint[]) and remote_url is not null`.execute(db);
}
