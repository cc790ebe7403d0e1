// Accounts: local and remote ones, with their profiles, counters, keys and moves.
import type { Schedule } from '../platform/work/run-schedules.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { domainPolicySubscriptions } from './remote/apply-domain-policy.ts';
import { migrateNotes, migrateNotesBatch } from './move/migrate-notes.ts';
import { keyDeletionSubscriptions } from './keys/delete-keys.ts';
import { deleteMediaOfDeletedAccount } from './profile/delete-media.ts';
import { deleteNotesOfDeletedAccount } from './notes/delete-notes.ts';
import { deleteMovesOfDeletedAccount } from './move/moves.ts';
import { deleteImages } from './profile/delete-replaced-images.ts';
import { applyStatsDeltas } from './adjust-account-stats.ts';
import { cleanUpImages } from './profile/clean-up-images.ts';
import { refreshPopularity } from './refresh-popularity.ts';
import { verifyLinks } from './profile/verify-links.ts';

export { actorUrls, instanceActorId, instanceActorName, isInstanceActorName, profileUrl } from './actor-urls.ts';
export { adjustAccountStats, type StatsDelta } from './adjust-account-stats.ts';
export {
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
  domainSuspended,
} from './events.ts';
export { Account, AccountField } from './schema.ts';
export { caches } from './caches.ts';

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

export const schedules: readonly Schedule[] = [cleanUpImages, refreshPopularity];
