// Relationships: follows, follow requests, blocks, mutes and domain blocks between accounts.
import type { Subscription } from '../platform/events/reactions.ts';
import { acceptPendingRequests } from './accept-pending-requests.ts';
import { deleteFollowsWithDomain } from './block-domain.ts';
import { migrateFollowers, migrateFollowersBatch, migrateBlocksAndMutesBatch } from './migrate-followers.ts';
import { deleteRelationships } from './delete-relationships.ts';
import { expireMute } from './mute-account.ts';

export { acceptFollowRequest, rejectFollowRequest } from './follow-requests.ts';
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
  followMigrated,
  followChanged,
  followRequestAccepted,
  followRequestRejected,
  followRequested,
  followerRemoved,
  relationsChanged,
  relationshipsDeleted,
} from './events.ts';
export { CredentialAccount, presentCredentialAccount } from './credential-account.ts';
export { followAccount, type FollowOptions } from './follow-account.ts';
export { muteAccount, type MuteOptions, unmuteAccount } from './mute-account.ts';
export { maxProfileBodyBytes, toProfileChanges, profileInput } from './profile-input.ts';
export { reopenFollowRequest } from './reopen-follow-request.ts';
export { loadFeatureApprovals, presentAccountsFor } from './present-accounts-for.ts';
export { presentRelationships } from './present-relationships.ts';
export { loadFollowedIds, isFollowing, type Relations, loadAccountRelations } from './relations.ts';
export {
  blocksDomain,
  blocksDomainOfSql,
  blocksDomainSql,
  blocksSql,
  followsSql,
  hidesNotifications,
  hidesNotificationsSql,
  isBlockedEitherWay,
  isHidden,
  isHiddenSql,
  isUnwanted,
  isUnwantedSql,
  listHiddenIds,
  mutesNotificationsSql,
  type AccountSql,
} from './relation-rules.ts';
export { followAndPresent, routes } from './routes.ts';
export { MutedAccount, Relationship } from './schema.ts';
export { removeFollower, unfollowAccount } from './unfollow-account.ts';
export { updateCredentials } from './update-credentials.ts';

export const subscriptions: Subscription[] = [
  acceptPendingRequests,
  deleteRelationships,
  expireMute.subscription,
  deleteFollowsWithDomain.subscription,
  migrateFollowers,
  migrateFollowersBatch.subscription,
  migrateBlocksAndMutesBatch.subscription,
];
