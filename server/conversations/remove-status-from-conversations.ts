import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import type { RowId, StatusId } from '../platform/ids.ts';
import { addStatusToConversations } from './add-status-to-conversations.ts';

/** Removes a deleted direct status from all conversations, and deletes conversations that become empty. */
export async function removeStatusFromConversations(
  { db }: Transaction,
  _app: App,
  { statusId }: { statusId: StatusId },
): Promise<void> {
  const { rows } = await sql<{ id: RowId }>`
    select c.id from statuses s join account_conversations c on c.conversation_id = s.conversation_id
    where s.id = ${statusId}::bigint and s.visibility = 'direct' and ${statusId}::bigint = any(c.status_ids)
    order by c.account_id, c.id for update of c`.execute(db);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await sql`
    with emptied as (
      delete from account_conversations
      where id = any(${ids}::bigint[]) and status_ids = array[${statusId}::bigint] returning id
    )
    update account_conversations set
      status_ids = array_remove(status_ids, ${statusId}::bigint),
      last_status_id = (select max(id) from unnest(array_remove(status_ids, ${statusId}::bigint)) as rest(id)),
      lock_version = lock_version + 1
    where id = any(${ids}::bigint[]) and status_ids <> array[${statusId}::bigint]`.execute(db);
}

/** Updates the conversations of a direct status after its participants changed. */
export async function updateStatusConversations(
  tx: Transaction,
  app: App,
  { statusId }: { statusId: StatusId },
): Promise<void> {
  await removeStatusFromConversations(tx, app, { statusId });
  await addStatusToConversations(tx, app, { statusId, direct: true });
}
