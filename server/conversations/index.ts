// Conversations: direct statuses by participants, with their unread state.
import { beforeCommit, on, type Subscription } from '../platform/events/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { accountBlocked, accountMuted, domainBlocked } from '../relationships/index.ts';
import { mentionsAdded, statusDeleted, statusCreated } from '../statuses/index.ts';
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
  beforeCommit([statusCreated], { run: addStatusToConversations }),
  beforeCommit([mentionsAdded], { run: updateStatusConversations }),
  beforeCommit([statusDeleted], { run: removeStatusFromConversations }),
  beforeCommit([accountBlocked, accountMuted], { run: deleteConversationsWith }),
  beforeCommit([domainBlocked], { run: deleteConversationsWithDomain }),
  on([accountDeleted], {
    name: 'conversation.delete_account_conversations',
    queue: 'background',
    run: deleteAccountConversations,
  }),
];
