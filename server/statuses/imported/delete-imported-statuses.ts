import { sql } from 'kysely';
import { releaseMedia } from '../../media/attach/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { repliesChanged, statusChanged } from '../events.ts';
import { isCountedReplySql } from '../visibility/visibility-sql.ts';
import { importedStatusesDeleted } from './deleted-event.ts';

/**
 * Deletes imported statuses of an account with their media, as `deleteStatus` does, but with a few statements for all of them.
 * Those that were already deleted are left out. Nothing is sent: only this server knows them.
 */
export async function deleteImportedStatuses(
  tx: Transaction,
  app: App,
  accountId: AccountId,
  ids: readonly StatusId[],
): Promise<void> {
  const { rows } = await sql<{ id: StatusId; parent_id: StatusId | null }>`
    with deleted as (
      update statuses set deleted_at = ${app.clock.now()}
      where id = any(${ids}::bigint[]) and account_id = ${accountId}::bigint and visibility like 'imported%'
        and deleted_at is null
      returning id, visibility, in_reply_to_id
    ), lost as (
      select in_reply_to_id as status_id, count(*) as replies from deleted
      where in_reply_to_id <> all(${ids}::bigint[])
        and ${isCountedReplySql(sql`deleted.visibility`, sql`deleted.in_reply_to_id`)}
      group by in_reply_to_id
    ), locked as materialized (
      select status_id from status_stats where status_id in (select status_id from lost) order by status_id for update
    ), counted as (
      update status_stats stats
      set replies_count = greatest(stats.replies_count - lost.replies, 0), version = stats.version + 1
      from lost join locked using (status_id) where stats.status_id = lost.status_id
    ), unpinned as (
      delete from status_pins where status_id in (select id from deleted)
    )
    select id, in_reply_to_id as parent_id from deleted`.execute(tx.db);
  if (rows.length === 0) return;
  const statusIds = rows.map(({ id }) => id);
  const parentIds = new Set(rows.flatMap(({ parent_id: parentId }) => parentId ?? []));
  await releaseMedia(tx, app, statusIds, { keepForADay: false });
  for (const statusId of new Set([...statusIds, ...parentIds])) tx.emit(statusChanged({ statusId }));
  for (const statusId of parentIds) tx.emit(repliesChanged({ statusId }));
  tx.emit(importedStatusesDeleted({ accountId, statusIds }));
}
