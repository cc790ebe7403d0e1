import { sql } from 'kysely';
import type { ConversationId } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/write/transaction.ts';

/**
 * Deletes those of these conversations that have no post, not even a deleted one, and that nobody mutes. Skips those that
 * other transactions use. Returns the number of deleted ones.
 */
export async function deleteUnusedConversations({ db }: Transaction, ids: readonly ConversationId[]): Promise<number> {
  const { rows: locked } = await sql<{ id: ConversationId }>`
    select id from conversations where id = any(${ids}::bigint[]) order by id for update skip locked`.execute(db);
  const { numAffectedRows } = await sql`
    delete from conversations where id = any(${locked.map(({ id }) => id)}::bigint[])
      and not exists (select from statuses where conversation_id = conversations.id)
      and not exists (select from conversation_mutes where conversation_id = conversations.id)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
