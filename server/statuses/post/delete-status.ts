import { sql } from 'kysely';
import { adjustAccountStats } from '../../accounts/index.ts';
import { releaseMedia } from '../../media/attach/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { repliesChanged, statusChanged, statusDeleted } from '../events.ts';
import { deleteReblog } from '../react/insert-reblog.ts';
import type { Visibility } from '../tables.ts';
import { isImported, isPublicOrUnlisted, plainVisibility } from '../visibility/visibility.ts';
import { isCountedReplySql } from '../visibility/visibility-sql.ts';

interface StatusToDelete {
  readonly id: StatusId;
  readonly account_id: AccountId;
  readonly uri: string;
  readonly visibility: Visibility;
  readonly in_reply_to_id: StatusId | null;
  readonly reblog_of_id: StatusId | null;
}

interface DeletionOptions {
  readonly keepMedia?: boolean;
}

/**
 * Deletes a local or remote status without a permission check. It and its reblogs are hidden everywhere when this returns
 * (STA-07); the row stays for 30 days. Its media are deleted at once, unless `keepMedia` leaves them to the author for a
 * day, for a redraft (STA-22). Returns false if it was already deleted.
 */
export function deleteStatus(app: App, statusId: StatusId, options: DeletionOptions = {}): Promise<boolean> {
  return transaction(app, (tx) => deleteStatusIn(tx, app, statusId, options));
}

/** Deletes a status in an open transaction. See `deleteStatus`. */
export async function deleteStatusIn(
  tx: Transaction,
  app: App,
  statusId: StatusId,
  { keepMedia = false }: DeletionOptions = {},
): Promise<boolean> {
  const status = await tx.db
    .selectFrom('statuses')
    .select(['id', 'account_id', 'uri', 'visibility', 'in_reply_to_id', 'reblog_of_id'])
    .where('id', '=', statusId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (status === undefined) return false;
  const { id, account_id: accountId, reblog_of_id: reblogOfId } = status;
  if (reblogOfId !== null) return deleteReblog(tx, app, { id, accountId, reblogOfId });
  if (!(await markDeleted(tx, app, status))) return false;
  await releaseMedia(tx, app, [id], { keepForADay: keepMedia });
  return true;
}

async function markDeleted(tx: Transaction, app: App, status: StatusToDelete): Promise<boolean> {
  const parentId = isPublicOrUnlisted(plainVisibility(status.visibility)) ? status.in_reply_to_id : null;
  const { rows } = await sql`
    with deleted as (
      update statuses set deleted_at = ${app.clock.now()} where id = ${status.id} and deleted_at is null returning id
    ), counted as (
      update status_stats set replies_count = greatest(replies_count - 1, 0), version = version + 1
      where status_id = ${parentId}::bigint and exists (select from deleted)
        and ${isCountedReplySql(sql`${status.visibility}::text`, sql`${parentId}::bigint`)}
    ), unpinned as (
      delete from status_pins where status_id = ${status.id} and exists (select from deleted)
    )
    select id from deleted`.execute(tx.db);
  if (rows.length === 0) return false;
  const { id: statusId, account_id: accountId, uri } = status;
  if (status.visibility !== 'direct' && !isImported(status.visibility))
    adjustAccountStats(tx, [{ accountId, statuses: -1 }]);
  for (const id of parentId === null ? [statusId] : [statusId, parentId]) tx.emit(statusChanged({ statusId: id }));
  if (status.in_reply_to_id !== null) tx.emit(repliesChanged({ statusId: status.in_reply_to_id }));
  tx.emit(statusDeleted({ statusId, accountId, uri }));
  return true;
}
