// Accounts: local and remote ones, with their profiles, counters, keys and moves.
import type { Schedule } from '../platform/jobs/run-schedules.ts';
import type { Subscription } from '../platform/events/reactions.ts';
import { domainPolicySubscriptions } from './apply-domain-policy.ts';
import { migrateNotes, migrateNotesBatch } from './migrate-notes.ts';
import { keyDeletionSubscriptions } from './delete-keys.ts';
import { deleteMediaOfDeletedAccount } from './delete-media.ts';
import { deleteNotesOfDeletedAccount } from './delete-notes.ts';
import { deleteMovesOfDeletedAccount } from './moves.ts';
import { deleteImages } from './delete-replaced-images.ts';
import { applyStatsDeltas } from './adjust-account-stats.ts';
import { cleanUpImages } from './clean-up-images.ts';
import { verifyLinks } from './verify-links.ts';

export type { AccountContext, CachedAccount } from './query-cached-accounts.ts';
export { loadCachedAccounts } from './account-cache.ts';
export { acctOf, accountUrl } from './render-account.ts';
export { provideBadges, type Badge } from './badges.ts';
export { actorUrls, instanceActorId, instanceActorName, type ActorUrls } from './actor-urls.ts';
export { adjustAccountStats, type StatsDelta } from './adjust-account-stats.ts';
export { activateAccount, createLocalAccount, type NewLocalAccount } from './create-local-account.ts';
export { deleteUnactivatedAccounts } from './delete-unactivated-accounts.ts';
export { deleteAccount, markDeleted } from './delete-account.ts';
export {
  accountActivated,
  accountChanged,
  accountCountersChanged,
  accountDeleted,
  accountKeysReplaced,
  accountMoved,
  accountSuspended,
  accountUnlocked,
  accountUnsuspended,
  accountUpdated,
  accountViewed,
} from './events.ts';
export {
  type AccountRow,
  findAccount,
  findAccountByAcct,
  findAccountByUri,
  findAccountsByHandle,
  findLocalAccount,
  type Handle,
  normalizeDomain,
  parseHandle,
  requireAccount,
} from './find-accounts.ts';
export { featureApprovalFor, dependsOnFollows, type FeatureApproval, type FeaturePolicy } from './feature-approval.ts';
export { ensureInstanceActor } from './instance-actor.ts';
export { isOutdated } from './is-outdated.ts';
export { addAlias, markMoved, removeAlias, setMoveTarget, unmarkMoved } from './move-account.ts';
export { findLastMoveDate } from './moves.ts';
export {
  parseAccount,
  presentAccount,
  presentAccounts,
  renderAccountInto,
  toAccountTemplate,
  toAccountText,
} from './present-accounts.ts';
export { profileErrors, profileLimits } from './profile-rules.ts';
export { recordAccountView } from './record-account-view.ts';
export { Account, AccountField, AccountRole } from './schema.ts';
export { addMigrationNote, setNote } from './set-note.ts';
export { markSuspended } from './mark-suspended.ts';
export { unmarkSuspended } from './unmark-suspended.ts';
export { storeActorCollectionStats, type ActorCollectionStats } from './store-actor-collection-stats.ts';
export { loadSigningKey, type SigningKey } from './signing-key.ts';
export { storeRemoteAccount, type RemoteAccount } from './store-remote-account.ts';
export type { ActorType, FeatureAudience, ProfileField } from './tables.ts';
export type { ProfileChanges, StoredImage } from './profile-changes.ts';
export { changeProfile, updateProfile } from './update-profile.ts';

export const subscriptions: Subscription[] = [
  applyStatsDeltas,
  deleteImages.subscription,
  verifyLinks.subscription,
  deleteNotesOfDeletedAccount,
  migrateNotes,
  migrateNotesBatch.subscription,
  deleteMovesOfDeletedAccount,
  deleteMediaOfDeletedAccount,
  ...keyDeletionSubscriptions,
  ...domainPolicySubscriptions,
];

export const schedules: readonly Schedule[] = [cleanUpImages];
