// Relationships: follows, follow requests, blocks, mutes and domain blocks between accounts.
import type { Subscription } from '../platform/write/subscriptions.ts';
import { acceptPendingRequests } from './follow/accept-pending-requests.ts';
import { deleteFollowsWithDomain } from './hide/block-domain.ts';
import { migrateFollowers, migrateFollowersBatch, migrateBlocksAndMutesBatch } from './follow/migrate-followers.ts';
import { deleteRelationships } from './follow/delete-relationships.ts';
import { recordSeverances } from './severances/record-severances.ts';
import { recordSuspensionSeverances } from './severances/record-suspension-severances.ts';
import { expireMute } from './hide/mute-account.ts';

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
  followRequestRejected,
  followRequested,
  followerRemoved,
  relationsChanged,
  relationshipsDeleted,
  relationshipsSevered,
} from './events.ts';
export { routes } from './routes/routes.ts';
export { Relationship } from './schema.ts';
export { caches } from './caches.ts';

export const subscriptions: Subscription[] = [
  acceptPendingRequests,
  deleteRelationships,
  expireMute.subscription,
  deleteFollowsWithDomain.subscription,
  recordSeverances,
  recordSuspensionSeverances,
  migrateFollowers,
  migrateFollowersBatch.subscription,
  migrateBlocksAndMutesBatch.subscription,
];
