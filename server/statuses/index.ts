// Statuses: posts, who may see them, and the actions on them (reply, reblog, favourite, bookmark, pin).
import type { Schedule } from '../platform/work/run-schedules.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { approvalSubscriptions } from './approval/clean-up-requests.ts';
import { expireRequests } from './approval/expire-requests.ts';
import { cleanUpHeldPosts } from './held/clean-up-held-posts.ts';
import { continueTrial, startTrial } from './screening/try-rule.ts';
import { attachCard, refreshCard } from './post/attach-card.ts';
import { deleteReactionsOfAccount } from './emoji-reactions/delete-account-reactions.ts';
import { quoteSubscriptions } from './quote/count-quotes.ts';
import { publishScheduled } from './schedule/publish-scheduled.ts';
import { expireIdempotencyKeys, cleanUpDeletedStatuses, deleteReblogsOfDeleted } from './post/clean-up-deleted.ts';
import { accountDeletionSubscriptions } from './post/delete-account-data.ts';

export {
  cardAttached,
  countsRefreshRequested,
  mentionsAdded,
  mentionsUnresolved,
  quotePolicyChanged,
  statusDeleted,
  statusEdited,
  statusFavourited,
  statusPinned,
  statusCreated,
  statusReblogged,
  statusTagged,
  statusUnfavourited,
  statusUnpinned,
  statusUnreblogged,
  threadViewed,
} from './events.ts';
export { routes } from './routes.ts';
export { Status } from './schema.ts';
export type { Visibility } from './tables.ts';
export { caches } from './caches.ts';

export const subscriptions: readonly Subscription[] = [
  deleteReblogsOfDeleted,
  publishScheduled.subscription,
  startTrial,
  continueTrial.subscription,
  ...quoteSubscriptions,
  ...accountDeletionSubscriptions,
  ...approvalSubscriptions,
  deleteReactionsOfAccount,
  refreshCard,
  attachCard.subscription,
];

export const schedules: readonly Schedule[] = [
  cleanUpHeldPosts,
  cleanUpDeletedStatuses,
  expireIdempotencyKeys,
  expireRequests,
];
