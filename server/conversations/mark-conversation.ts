import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, notFound } from '../platform/http/http-errors.ts';
import type { AccountId, RowId } from '../platform/ids.ts';
import { conversationColumns, type ConversationRow } from './list-conversations.ts';

/** A post that arrives meanwhile makes the mark wait for the next attempt. */
const maxAttempts = 10;

/**
 * Marks a conversation as read or unread and gives it as it was marked: what its owner is shown is what was marked, also
 * when posts arrive at the same moment. 404 when it is not there, 409 when it changes again and again.
 */
export async function markConversation(
  app: App,
  accountId: AccountId,
  { id, unread }: { id: RowId; unread: boolean },
): Promise<ConversationRow> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const seen = await app.db
      .selectFrom('account_conversations')
      .select(conversationColumns)
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (seen === undefined) throw notFound();
    if (seen.unread === unread) return seen;
    const marked = await transaction(app, ({ db }) =>
      db
        .updateTable('account_conversations')
        .set({ unread, lock_version: seen.lock_version + 1 })
        .where('id', '=', id)
        .where('lock_version', '=', seen.lock_version)
        .returning(conversationColumns)
        .executeTakeFirst(),
    );
    if (marked !== undefined) return marked;
  }
  throw conflict('Conflict during update, please try again');
}
