// Conversations: direct statuses by participants, with their unread state.
import type { Schedule } from '../platform/work/run-schedules.ts';
import { inTransaction, later } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { accountBlocked, accountMuted, domainBlocked } from '../relationships/index.ts';
import { mentionsAdded, statusDeleted, statusCreated } from '../statuses/index.ts';
import { cleanUpConversations } from './clean-up-conversations.ts';
import {
  deleteConversationsWith,
  deleteConversationsWithDomain,
  deleteAccountConversations,
} from './delete-conversations.ts';
import { addStatusToConversations } from './add-status-to-conversations.ts';
import { removeStatusFromConversations, updateStatusConversations } from './remove-status-from-conversations.ts';

export { conversationUpdated } from './events.ts';
export { findConversation } from './list-conversations.ts';
export { presentConversations } from './present-conversations.ts';
export { routes } from './routes.ts';
export { Conversation } from './schema.ts';

export const subscriptions: Subscription[] = [
  inTransaction([statusCreated], { run: addStatusToConversations }),
  inTransaction([mentionsAdded], { run: updateStatusConversations }),
  inTransaction([statusDeleted], { run: removeStatusFromConversations }),
  inTransaction([accountBlocked, accountMuted], { run: deleteConversationsWith }),
  inTransaction([domainBlocked], { run: deleteConversationsWithDomain }),
  later('background', [accountDeleted], {
    name: 'conversation.delete_account_conversations',
    run: deleteAccountConversations,
  }),
];

export const schedules: readonly Schedule[] = [cleanUpConversations];
