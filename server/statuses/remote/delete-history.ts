import { sql } from 'kysely';
import { deleteRemoteMedia } from '../../media/remote/index.ts';
import type { MediaId, StatusId } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { statusChanged } from '../events.ts';

/** Deletes the earlier versions of remote statuses, with the attachments that only these have. The current version stays. */
export async function deleteRemoteHistory(tx: Transaction, ids: readonly StatusId[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ media_ids: MediaId[] }>`
    delete from status_edits where status_id = any(${ids}::bigint[]) returning media_ids`.execute(tx.db);
  const { rows: current } = await sql<{ media_ids: MediaId[] }>`
    select media_ids from statuses where id = any(${ids}::bigint[])`.execute(tx.db);
  const used = new Set(current.flatMap(({ media_ids }) => media_ids));
  const unused = new Set(rows.flatMap(({ media_ids }) => media_ids).filter((id) => !used.has(id)));
  if (unused.size > 0) await deleteRemoteMedia(tx, [], [...unused]);
  for (const statusId of ids) tx.emit(statusChanged({ statusId }));
}
