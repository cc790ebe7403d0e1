// Statuses: posts, who may see them, and the actions on them (reply, reblog, favourite, bookmark, pin).
import type { Schedule } from '../platform/jobs/run-schedules.ts';
import type { Subscription } from '../platform/events/reactions.ts';
import { attachCard, refreshCard } from './post/attach-card.ts';
import { quoteSubscriptions } from './quote/count-quotes.ts';
import { publishScheduled } from './schedule/publish-scheduled.ts';
import { expireIdempotencyKeys, cleanUpDeletedStatuses, deleteReblogsOfDeleted } from './post/clean-up-deleted.ts';
import { accountDeletionSubscriptions } from './post/delete-account-data.ts';

export { listAccountStatuses, listPinnedStatuses } from './read/list-account-statuses.ts';
export { addMentions } from './post/add-mentions.ts';
export { addRecipient } from './post/add-recipient.ts';
export { bookmarkStatus, unbookmarkStatus } from './react/bookmark-status.ts';
export { loadContext } from './read/load-context.ts';
export { deleteStatus } from './post/delete-status.ts';
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
export { findFavourite } from './react/favourite-rows.ts';
export { favouriteStatus, unfavouriteStatus } from './react/favourite-status.ts';
export { findStatusByUri, findStatusByUrl } from './remote/find-status.ts';
export { filterVisibleStatuses, requireVisibleOriginal, requireVisibleStatus } from './read/filter-visible-statuses.ts';
export { threadRefreshIntervalMs } from './remote/queue-thread-refresh.ts';
export { maxPins } from './react/pin-status.ts';
export { postStatus } from './post/post-status.ts';
export { type Viewer, presentStatusesById, presentStatus, presentStatuses } from './read/present-statuses.ts';
export { lockQuotableStatus } from './quote/quote-status.ts';
export { reblogStatus, unreblogStatus } from './react/reblog-status.ts';
export { linkRemoteQuote } from './remote/remote-quotes.ts';
export { routes } from './routes.ts';
export { Context, Status } from './schema.ts';
export type { CachedStatus } from './read/cached-status.ts';
export { loadCachedStatuses } from './read/status-cache.ts';
export { addRemotePin, removeRemotePin, storeRemotePins } from './remote/store-remote-pins.ts';
export { storeRemoteReblog } from './remote/store-remote-reblog.ts';
export { storeRemoteStatus, type RemoteStatus } from './remote/store-remote-status.ts';
export { updateRemoteStatus } from './remote/update-remote-status.ts';
export type { Visibility } from './tables.ts';
export { reblogUri, statusUri, statusUrl } from './post/urls.ts';
export { isPollOption, recordRemoteVote } from './poll/vote-in-poll.ts';
export { canSee, isPublicOrUnlisted, isShown, type ListingFacts, type Surface } from './read/visibility.ts';
export { isInFollowerAudienceSql, isMentionedSql } from './read/visibility-sql.ts';
export { maxStatusCharacters } from './post/status-text.ts';

export const subscriptions: readonly Subscription[] = [
  deleteReblogsOfDeleted,
  publishScheduled.subscription,
  ...quoteSubscriptions,
  ...accountDeletionSubscriptions,
  refreshCard,
  attachCard.subscription,
];

export const schedules: readonly Schedule[] = [cleanUpDeletedStatuses, expireIdempotencyKeys];
