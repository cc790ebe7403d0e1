import { findConversation, presentConversations } from '../../conversations/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId, RowId } from '../../platform/ids.ts';
import { streamHub } from '../connections/hub.ts';
import { StreamEvent } from '../connections/stream-event.ts';
import { sendToAll } from './send.ts';

interface UpdatedConversation {
  readonly conversationId: RowId;
  readonly accountId: AccountId;
}

/** Sends a conversation with its new status to its owner. */
export async function deliverConversation(app: App, { conversationId, accountId }: UpdatedConversation): Promise<void> {
  const row = await findConversation(app, accountId, conversationId);
  if (row === undefined) return;
  const [conversation] = await presentConversations(app, accountId, [row]);
  const subscriptions = streamHub(app).conversations.get(accountId);
  if (conversation !== undefined) await sendToAll(subscriptions, new StreamEvent('conversation', conversation.text));
}
