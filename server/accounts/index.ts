// Accounts: who posts and is followed, of this server and of others; their profiles, counters and keys.
import type { Schedule } from '../platform/jobs/schedule.ts';
import type { Subscription } from '../platform/events/reactions.ts';
import { domainPolicyReactions } from './apply-domain-policy.ts';
import { carryNotes, carryNotesStep } from './carry-notes.ts';
import { keyRemovals } from './forget-keys.ts';
import { forgetMedia } from './forget-media.ts';
import { forgetNotes } from './forget-notes.ts';
import { forgetMoves } from './moves.ts';
import { removeImages } from './replaced-images.ts';
import { sweepImages } from './sweep-images.ts';
import { verifyLinks } from './verify-links.ts';

export type { AccountBody } from './account-bodies.ts';
export { accountBodies } from './account-cache.ts';
export { acctOf, urlOf } from './account-json.ts';
export { provideBadges, type Badge } from './badges.ts';
export { actorUrls, instanceActorId, instanceActorName, type ActorUrls } from './actor-urls.ts';
export { adjustAccountStats, type StatsDelta } from './adjust-account-stats.ts';
export { activateAccount, createLocalAccount, type NewLocalAccount } from './create-local-account.ts';
export { eraseUnseen } from './erase-unseen.ts';
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
  readHandle,
  requireAccount,
} from './find-accounts.ts';
export { approvalOf, hangsOnFollows, type Approval, type FeaturePolicy } from './feature-approval.ts';
export { ensureInstanceActor } from './instance-actor.ts';
export { isOutdated } from './is-outdated.ts';
export { addAlias, markMoved, removeAlias, setMoveTarget, unmarkMoved } from './move-account.ts';
export { lastMove } from './moves.ts';
export { presentAccount, presentAccounts } from './present-accounts.ts';
export { profileErrors, profileLimits } from './profile-rules.ts';
export { noteView } from './note-view.ts';
export { Account, AccountField, AccountRole } from './schema.ts';
export { noteWhyHidden, setNote } from './set-note.ts';
export { markSuspended } from './mark-suspended.ts';
export { unmarkSuspended } from './unmark-suspended.ts';
export { storeCollectionFacts, type CollectionFacts } from './store-collection-facts.ts';
export { signingKey, type SigningKey } from './signing-key.ts';
export { storeRemoteAccount, type RemoteAccount } from './store-remote-account.ts';
export type { ActorType, FeatureAudience, ProfileField } from './tables.ts';
export { changeProfile, type ProfileChanges, type StoredImage, updateProfile } from './update-profile.ts';

export const subscriptions: Subscription[] = [
  removeImages.subscription,
  verifyLinks.subscription,
  forgetNotes,
  carryNotes,
  carryNotesStep.subscription,
  forgetMoves,
  forgetMedia,
  ...keyRemovals,
  ...domainPolicyReactions,
];

export const schedules: readonly Schedule[] = [sweepImages];
