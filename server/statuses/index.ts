// Statuses: what people post, who may see it, and what others do with it (reply, reblog, favourite, bookmark, pin).
import type { Schedule } from '../platform/jobs/schedule.ts';
import type { Subscription } from '../platform/events/reactions.ts';
import { attachCard, attachCardOnEdit, attachCardOnPost } from './attach-card.ts';
import { quoteCounting } from './count-quotes.ts';
import { publishScheduled } from './publish-scheduled.ts';
import { forgetKeys, removeDeleted, removeReblogsOfDeleted } from './remove-deleted.ts';
import { removalsOfAccounts } from './remove-of-account.ts';

export { listAccountStatuses, listPinned, type AccountStatusesQuery } from './account-statuses.ts';
export { addMentions } from './add-mentions.ts';
export { addRecipient } from './add-recipient.ts';
export { bookmarkStatus, unbookmarkStatus } from './bookmark-status.ts';
export type { Post } from './compose-status.ts';
export { contextOf } from './context.ts';
export { deleteStatus } from './delete-status.ts';
export { editStatus, type Edit } from './edit-status.ts';
export {
  mentionsAdded,
  mentionsLeftOpen,
  quotePolicyChanged,
  statusDeleted,
  statusEdited,
  statusFavourited,
  statusPinned,
  statusPosted,
  statusReblogged,
  statusUnfavourited,
  statusUnpinned,
  statusUnreblogged,
  threadOpened,
} from './events.ts';
export { favouriteStatus, findFavourite, unfavouriteStatus } from './favourite-status.ts';
export { findStatusByUri, findStatusByUrl } from './find-status.ts';
export { keepVisible, requireVisibleOriginal, requireVisibleStatus } from './keep-visible.ts';
export { threadPatience } from './note-thread-opened.ts';
export { muteConversation, unmuteConversation } from './mute-conversation.ts';
export { mostPins, pinStatus, unpinStatus } from './pin-status.ts';
export { postStatus } from './post-status.ts';
export { type Beholder, presentEach, presentStatus, presentStatuses } from './present-statuses.ts';
export { holdQuotable, mayQuote } from './quote-status.ts';
export { findReblog, reblogStatus, unreblogStatus } from './reblog-status.ts';
export { linkRemoteQuote, type RemoteQuote } from './remote-quotes.ts';
export { routes } from './routes.ts';
export { Context, Status } from './schema.ts';
export { statusBodies, type StatusBody } from './status-bodies.ts';
export { addRemotePin, removeRemotePin, storeRemotePins } from './store-remote-pins.ts';
export { storeRemoteReblog, type RemoteReblog } from './store-remote-reblog.ts';
export { storeRemoteStatus, type RemoteStatus } from './store-remote-status.ts';
export { updateRemoteStatus } from './update-remote-status.ts';
export type { Visibility } from './tables.ts';
export { reblogUri, statusUri, statusUrl } from './urls.ts';
export { isForEverybody } from './visibility.ts';
export { isPollOption, receiveVote, voteInPoll } from './vote-in-poll.ts';
export { canSee, isShown, narrower, type ShownFacts, type SightFacts, type Surface } from './visibility.ts';
export { mostCharacters } from './wording.ts';

export const subscriptions: readonly Subscription[] = [
  removeReblogsOfDeleted,
  publishScheduled.subscription,
  ...quoteCounting,
  ...removalsOfAccounts,
  attachCardOnPost,
  attachCardOnEdit,
  attachCard.subscription,
];

export const schedules: readonly Schedule[] = [removeDeleted, forgetKeys];
