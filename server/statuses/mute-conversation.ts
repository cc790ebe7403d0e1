import { viewerStatesChanged } from './events.ts';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { invalid } from '../platform/http/problems.ts';
import type { AccountId, ConversationId, StatusId } from '../platform/ids.ts';
import { requireVisibleOriginal } from './keep-visible.ts';

/**
 * Ends notifications from the conversation of a status. Throws 404 for what the account may not see, 422 when the status
 * has no conversation (STA-19).
 */
export async function muteConversation(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  const conversationId = await requireConversation(app, accountId, statusId);
  await write(app, async (transaction) => {
    await transaction.db
      .insertInto('conversation_mutes')
      .values({ account_id: accountId, conversation_id: conversationId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    transaction.emit(viewerStatesChanged({ viewerId: accountId }));
  });
}

/** Lets notifications from the conversation of a status through again; errors as `muteConversation`. */
export async function unmuteConversation(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  const conversationId = await requireConversation(app, accountId, statusId);
  await write(app, async (transaction) => {
    await transaction.db
      .deleteFrom('conversation_mutes')
      .where('account_id', '=', accountId)
      .where('conversation_id', '=', conversationId)
      .execute();
    transaction.emit(viewerStatesChanged({ viewerId: accountId }));
  });
}

async function requireConversation(app: App, accountId: AccountId, statusId: StatusId): Promise<ConversationId> {
  const { conversationId } = await requireVisibleOriginal(app, accountId, statusId);
  if (conversationId === null) throw invalid('The post belongs to no conversation');
  return conversationId;
}
