import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { conflict, notFound } from '../platform/http/http-errors.ts';
import type { AccountId, RowId } from '../platform/ids.ts';
import { conversationColumns, findConversation, type ConversationRow } from './list-conversations.ts';
import { writable } from './tables.ts';

/** Optimistic lock: retries when a new status changed the conversation. */
const maxAttempts = 10;

/**
 * Marks a conversation as read or unread, and returns the state that was marked even if statuses arrive concurrently.
 * Throws 404 if it does not exist, 409 after too many conflicts.
 */
export async function markConversation(
  app: App,
  accountId: AccountId,
  { id, unread }: { id: RowId; unread: boolean },
): Promise<ConversationRow> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const seen = await findConversation(app, accountId, id);
    if (seen === undefined) throw notFound();
    if (seen.unread === unread) return seen;
    const marked = await transaction(app, ({ db }) =>
      writable(db)
        .updateTable('account_conversations')
        .set({ unread, lock_version: seen.lock_version + 1 })
        .where('id', '=', id)
        .where('lock_version', '=', seen.lock_version)
        .returning(conversationColumns)
        .executeTakeFirst(),
    );
    if (marked !== undefined) return marked;
  }
  throw conflict('http.conflict');
}
