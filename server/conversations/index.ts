// Conversations: direct posts by who takes part in them, and which of them are unread.
import { beforeCommit, on, type Subscription } from '../platform/events/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { accountBlocked, accountMuted, domainBlocked } from '../relationships/index.ts';
import { mentionsAdded, statusDeleted, statusPosted } from '../statuses/index.ts';
import { dropWith, dropWithDomain, forgetAccount } from './drop-conversations.ts';
import { enterStatus } from './enter-status.ts';
import { leaveStatus, moveStatus } from './leave-status.ts';

export { conversationContinued } from './events.ts';
export { routes } from './routes.ts';
export { Conversation } from './schema.ts';

export const subscriptions: Subscription[] = [
  beforeCommit([statusPosted], { run: enterStatus }),
  beforeCommit([mentionsAdded], { run: moveStatus }),
  beforeCommit([statusDeleted], { run: leaveStatus }),
  beforeCommit([accountBlocked], { run: dropWith }),
  beforeCommit([accountMuted], { run: dropWith }),
  beforeCommit([domainBlocked], { run: dropWithDomain }),
  on([accountDeleted], { name: 'conversations-account-deleted', queue: 'background', run: forgetAccount }),
];
