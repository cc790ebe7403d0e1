// Conversations: direct posts by who takes part in them, and which of them are unread.
import { accountDeleted } from '../accounts/index.ts';
import { on, within, type Subscription } from '../platform/jobs/events.ts';
import { accountBlocked, accountMuted, domainBlocked } from '../relationships/index.ts';
import { mentionsAdded, statusDeleted, statusPosted } from '../statuses/index.ts';
import { dropWith, dropWithDomain, forgetAccount } from './drop-conversations.ts';
import { enterStatus } from './enter-status.ts';
import { leaveStatus, moveStatus } from './leave-status.ts';

export { conversationContinued } from './events.ts';
export { routes } from './routes.ts';
export { Conversation } from './schema.ts';

export const subscriptions: Subscription[] = [
  within(statusPosted, 'conversations-post', enterStatus),
  within(mentionsAdded, 'conversations-mentions', moveStatus),
  within(statusDeleted, 'conversations-delete', leaveStatus),
  within(accountBlocked, 'conversations-block', dropWith),
  within(accountMuted, 'conversations-mute', dropWith),
  within(domainBlocked, 'conversations-domain-block', dropWithDomain),
  on(accountDeleted, 'conversations-account-deleted', forgetAccount, 'background'),
];
