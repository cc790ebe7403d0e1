// Relationships: who follows, asks to follow, blocks and mutes whom.
import type { Subscription } from '../platform/events/reactions.ts';
import { acceptWaiting } from './accept-waiting.ts';
import { endRelationsWithDomain } from './block-domain.ts';
import { followAlong, followAlongStep, hideAlongStep } from './follow-along.ts';
import { forgetAccount } from './forget-account.ts';
import { endMute } from './mute-account.ts';

export { acceptFollowRequest, rejectFollowRequest } from './answer-follow-requests.ts';
export { blockAccount, unblockAccount } from './block-account.ts';
export { blockDomain, unblockDomain } from './block-domain.ts';
export { endorseAccount, unendorseAccount } from './endorse-account.ts';
export {
  accountBlocked,
  accountFollowed,
  accountMuted,
  accountUnblocked,
  accountUnfollowed,
  accountUnmuted,
  domainBlocked,
  domainUnblocked,
  followCarriedOver,
  followChanged,
  followRequestAccepted,
  followRequestRejected,
  followRequested,
  followerRemoved,
  relationsChanged,
  relationsForgotten,
} from './events.ts';
export { CredentialAccount, presentCredentialAccount } from './credential-account.ts';
export { followAccount, type FollowOptions } from './follow-account.ts';
export { muteAccount, type MuteOptions, unmuteAccount } from './mute-account.ts';
export { largestProfileBody, profileChangesOf, profileInput } from './profile-input.ts';
export { reopenFollowRequest } from './reopen-request.ts';
export { approvalsOf, presentAccountsFor } from './present-accounts-for.ts';
export { presentRelationships } from './present-relationships.ts';
export { followedIds, follows, type Relations, relationsOf } from './relations.ts';
export { followAndShow, routes } from './routes.ts';
export { MutedAccount, Relationship } from './schema.ts';
export { removeFollower, unfollowAccount } from './unfollow-account.ts';
export { updateCredentials } from './update-credentials.ts';

export const subscriptions: Subscription[] = [
  acceptWaiting,
  forgetAccount,
  endMute.subscription,
  endRelationsWithDomain.subscription,
  followAlong,
  followAlongStep.subscription,
  hideAlongStep.subscription,
];
