// Relationships: follows, follow requests, blocks, mutes and domain blocks between accounts.
import type { Subscription } from '../platform/events/reactions.ts';
import { acceptPendingRequests } from './follow/accept-pending-requests.ts';
import { deleteFollowsWithDomain } from './hide/block-domain.ts';
import { migrateFollowers, migrateFollowersBatch, migrateBlocksAndMutesBatch } from './follow/migrate-followers.ts';
import { deleteRelationships } from './follow/delete-relationships.ts';
import { expireMute } from './hide/mute-account.ts';

export { acceptFollowRequest, rejectFollowRequest } from './follow/follow-requests.ts';
export { blockAccount, unblockAccount } from './hide/block-account.ts';
export { blockDomain, unblockDomain } from './hide/block-domain.ts';
export { endorseAccount, unendorseAccount } from './follow/endorse-account.ts';
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
export { CredentialAccount, presentCredentialAccount } from './credentials/credential-account.ts';
export { followAccount, type FollowOptions } from './follow/follow-account.ts';
export { muteAccount, type MuteOptions, unmuteAccount } from './hide/mute-account.ts';
export { maxProfileBodyBytes, toProfileChanges, profileInput } from './credentials/profile-input.ts';
export { reopenFollowRequest } from './follow/reopen-follow-request.ts';
export { loadFeatureApprovals, presentAccountsFor } from './read/present-accounts-for.ts';
export { presentRelationships } from './read/present-relationships.ts';
export { loadFollowedIds, isFollowing, type Relations, loadAccountRelations } from './rules/relations.ts';
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
} from './rules/relation-rules.ts';
export { followAndPresent, routes } from './routes/routes.ts';
export { MutedAccount, Relationship } from './schema.ts';
export { removeFollower, unfollowAccount } from './follow/unfollow-account.ts';
export { updateCredentials } from './credentials/update-credentials.ts';

export const subscriptions: Subscription[] = [
  acceptPendingRequests,
  deleteRelationships,
  expireMute.subscription,
  deleteFollowsWithDomain.subscription,
  migrateFollowers,
  migrateFollowersBatch.subscription,
  migrateBlocksAndMutesBatch.subscription,
];
