import { sql } from 'kysely';
import {
  lockRequest,
  storeDecision,
  type InteractionRequestId,
  type RequestRow,
} from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { repliesChanged, statusChanged } from '../events.ts';
import { removeFavourites } from '../react/favourite-status.ts';
import { deleteReblog } from '../react/insert-reblog.ts';
import { statusDetached } from './events.ts';

/**
 * Revokes an accepted interaction as the author of the post: removes the favourite or reblog, or takes the reply out of the
 * thread. Returns false if it is not accepted. The caller has verified that the author decided.
 */
export function revokeRequest(app: App, id: InteractionRequestId): Promise<boolean> {
  return transaction(app, async (tx) => {
    const request = await lockRequest(tx, id);
    if (request?.state !== 'accepted') return false;
    await storeDecision(tx, app, request, { state: 'revoked' });
    await undo(tx, app, request);
    return true;
  });
}

async function undo(tx: Transaction, app: App, request: RequestRow): Promise<void> {
  const { kind, account_id: accountId, status_id: statusId } = request;
  if (kind === 'favourite') await removeFavourites(tx, [{ accountId, statusId }]);
  else if (kind === 'reblog') await undoReblog(tx, app, { accountId, reblogOfId: statusId });
  else await detachReply(tx, request);
}

async function undoReblog(
  tx: Transaction,
  app: App,
  { accountId, reblogOfId }: { readonly accountId: AccountId; readonly reblogOfId: StatusId },
): Promise<void> {
  const reblog = await tx.db
    .selectFrom('statuses')
    .select('id')
    .where('account_id', '=', accountId)
    .where('reblog_of_id', '=', reblogOfId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (reblog !== undefined) await deleteReblog(tx, app, { id: reblog.id, accountId, reblogOfId });
}

/** Takes a reply and the posts below it out of the thread. It stays a reply to the account, like one to a lost post. */
async function detachReply(tx: Transaction, { reply_id: id, status_id: parentId }: RequestRow): Promise<void> {
  const { rows } = await sql<{ account_id: AccountId; local: boolean }>`
    with detached as (
      update statuses set in_reply_to_id = null
      where id = ${id}::bigint and in_reply_to_id = ${parentId} and deleted_at is null
      returning account_id, local, visibility
    ), counted as (
      update status_stats set replies_count = greatest(replies_count - 1, 0), version = version + 1
      where status_id = ${parentId} and exists (select from detached where visibility in ('public', 'unlisted'))
    )
    select account_id, local from detached`.execute(tx.db);
  const [reply] = rows;
  if (id === null || reply === undefined) return;
  for (const statusId of [id, parentId]) tx.emit(statusChanged({ statusId }));
  tx.emit(repliesChanged({ statusId: parentId }));
  tx.emit(statusDetached({ statusId: id, accountId: reply.account_id, local: reply.local }));
}
