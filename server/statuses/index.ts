// Statuses: posts, who may see them, and the actions on them (reply, reblog, favourite, bookmark, pin).
import type { Schedule } from '../platform/jobs/run-schedules.ts';
import type { Subscription } from '../platform/events/reactions.ts';
import { attachCard, refreshCard } from './attach-card.ts';
import { quoteSubscriptions } from './count-quotes.ts';
import { publishScheduled } from './publish-scheduled.ts';
import { expireIdempotencyKeys, cleanUpDeletedStatuses, deleteReblogsOfDeleted } from './clean-up-deleted.ts';
import { accountDeletionSubscriptions } from './delete-account-data.ts';

export { listAccountStatuses, listPinnedStatuses } from './list-account-statuses.ts';
export { addMentions } from './add-mentions.ts';
export { addRecipient } from './add-recipient.ts';
export { bookmarkStatus, unbookmarkStatus } from './bookmark-status.ts';
export { loadContext } from './load-context.ts';
export { deleteStatus } from './delete-status.ts';
export {
  mentionsAdded,
  mentionsUnresolved,
  quotePolicyChanged,
  statusDeleted,
  statusEdited,
  statusFavourited,
  statusPinned,
  statusCreated,
  statusReblogged,
  statusUnfavourited,
  statusUnpinned,
  statusUnreblogged,
  threadViewed,
} from './events.ts';
export { findFavourite } from './favourite-rows.ts';
export { favouriteStatus, unfavouriteStatus } from './favourite-status.ts';
export { findStatusByUri, findStatusByUrl } from './find-status.ts';
export { filterVisibleStatuses, requireVisibleOriginal, requireVisibleStatus } from './filter-visible-statuses.ts';
export { threadRefreshIntervalMs } from './queue-thread-refresh.ts';
export { maxPins } from './pin-status.ts';
export { postStatus } from './post-status.ts';
export { type Viewer, presentStatusesById, presentStatus, presentStatuses } from './present-statuses.ts';
export { lockQuotableStatus } from './quote-status.ts';
export { reblogStatus, unreblogStatus } from './reblog-status.ts';
export { linkRemoteQuote } from './remote-quotes.ts';
export { routes } from './routes.ts';
export { Context, Status } from './schema.ts';
export type { CachedStatus } from './cached-status.ts';
export { loadCachedStatuses } from './status-cache.ts';
export { addRemotePin, removeRemotePin, storeRemotePins } from './store-remote-pins.ts';
export { storeRemoteReblog } from './store-remote-reblog.ts';
export { storeRemoteStatus, type RemoteStatus } from './store-remote-status.ts';
export { updateRemoteStatus } from './update-remote-status.ts';
export type { Visibility } from './tables.ts';
export { reblogUri, statusUri, statusUrl } from './urls.ts';
export { isPollOption, recordRemoteVote } from './vote-in-poll.ts';
export { canSee, isPublicOrUnlisted, isShown, type ListingFacts, type Surface } from './visibility.ts';
export { isInFollowerAudienceSql, isMentionedSql } from './visibility-sql.ts';
export { maxStatusCharacters } from './status-text.ts';

export const subscriptions: readonly Subscription[] = [
  deleteReblogsOfDeleted,
  publishScheduled.subscription,
  ...quoteSubscriptions,
  ...accountDeletionSubscriptions,
  refreshCard,
  attachCard.subscription,
];

export const schedules: readonly Schedule[] = [cleanUpDeletedStatuses, expireIdempotencyKeys];
