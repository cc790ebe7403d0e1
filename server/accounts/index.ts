// Accounts: local and remote ones, with their profiles, counters, keys and moves.
import type { Schedule } from '../platform/jobs/run-schedules.ts';
import type { Subscription } from '../platform/events/reactions.ts';
import { domainPolicySubscriptions } from './remote/apply-domain-policy.ts';
import { migrateNotes, migrateNotesBatch } from './move/migrate-notes.ts';
import { keyDeletionSubscriptions } from './keys/delete-keys.ts';
import { deleteMediaOfDeletedAccount } from './profile/delete-media.ts';
import { deleteNotesOfDeletedAccount } from './notes/delete-notes.ts';
import { deleteMovesOfDeletedAccount } from './move/moves.ts';
import { deleteImages } from './profile/delete-replaced-images.ts';
import { applyStatsDeltas } from './adjust-account-stats.ts';
import { cleanUpImages } from './profile/clean-up-images.ts';
import { verifyLinks } from './profile/verify-links.ts';

export type { AccountContext, CachedAccount } from './present/query-cached-accounts.ts';
export { loadCachedAccounts } from './present/account-cache.ts';
export { acctOf, accountUrl } from './present/render-account.ts';
export { provideBadges, type Badge } from './present/badges.ts';
export { actorUrls, instanceActorId, instanceActorName, type ActorUrls } from './actor-urls.ts';
export { adjustAccountStats, type StatsDelta } from './adjust-account-stats.ts';
export { activateAccount, createLocalAccount, type NewLocalAccount } from './lifecycle/create-local-account.ts';
export { deleteUnactivatedAccounts } from './lifecycle/delete-unactivated-accounts.ts';
export { deleteAccount, markDeleted } from './lifecycle/delete-account.ts';
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
export {
  featureApprovalFor,
  dependsOnFollows,
  type FeatureApproval,
  type FeaturePolicy,
} from './present/feature-approval.ts';
export { ensureInstanceActor } from './keys/instance-actor.ts';
export { isOutdated } from './remote/is-outdated.ts';
export { addAlias, markMoved, removeAlias, setMoveTarget, unmarkMoved } from './move/move-account.ts';
export { findLastMoveDate } from './move/moves.ts';
export {
  parseAccount,
  presentAccount,
  presentAccounts,
  renderAccountInto,
  toAccountTemplate,
  toAccountText,
} from './present/present-accounts.ts';
export { profileErrors, profileLimits } from './profile/profile-rules.ts';
export { recordAccountView } from './remote/record-account-view.ts';
export { Account, AccountField, AccountRole } from './schema.ts';
export { addMigrationNote, setNote } from './notes/set-note.ts';
export { markSuspended } from './lifecycle/mark-suspended.ts';
export { unmarkSuspended } from './lifecycle/unmark-suspended.ts';
export { storeActorCollectionStats, type ActorCollectionStats } from './remote/store-actor-collection-stats.ts';
export { loadSigningKey, type SigningKey } from './keys/signing-key.ts';
export { storeRemoteAccount, type RemoteAccount } from './remote/store-remote-account.ts';
export type { ActorType, FeatureAudience, ProfileField } from './tables.ts';
export type { ProfileChanges, StoredImage } from './profile/profile-changes.ts';
export { changeProfile, updateProfile } from './profile/update-profile.ts';

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
