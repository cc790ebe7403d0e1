import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import type { AccountId, ConversationId, StatusId } from '../../platform/ids.ts';
import { conversationMuted, conversationUnmuted } from '../events.ts';
import { requireVisibleOriginal } from '../read/filter-visible-statuses.ts';
import { writable } from '../tables.ts';

/**
 * Mutes notifications from the conversation of a status. Throws 404 if the account may not see the status, 422 if the
 * status has no conversation (STA-19).
 */
export async function muteConversation(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  const conversationId = await requireConversation(app, accountId, statusId);
  await transaction(app, async (tx) => {
    await writable(tx.db)
      .insertInto('conversation_mutes')
      .values({ account_id: accountId, conversation_id: conversationId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    tx.emit(conversationMuted({ accountId, conversationId }));
  });
}

/** Undoes `muteConversation`; throws the same errors. */
export async function unmuteConversation(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  const conversationId = await requireConversation(app, accountId, statusId);
  await transaction(app, async (tx) => {
    await writable(tx.db)
      .deleteFrom('conversation_mutes')
      .where('account_id', '=', accountId)
      .where('conversation_id', '=', conversationId)
      .execute();
    tx.emit(conversationUnmuted({ accountId, conversationId }));
  });
}

async function requireConversation(app: App, accountId: AccountId, statusId: StatusId): Promise<ConversationId> {
  const { conversationId } = await requireVisibleOriginal(app, accountId, statusId);
  if (conversationId === null) throw validationFailed('statuses.noConversation');
  return conversationId;
}
