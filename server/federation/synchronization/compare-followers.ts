import type { App } from '../../platform/app.ts';
import { Cache } from '../../platform/caching/cache.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { isSameHost } from '../documents/values.ts';
import type { RemoteKey } from '../keys/find-key.ts';
import { getLocalFollowers } from '../delivery/followers-digest.ts';
import { parseSynchronizationHeader } from '../delivery/synchronization-header.ts';
import { synchronizeFollowers } from './synchronize-followers.ts';

/** Minimum time between two requests for the followers of one account. */
const minRequestIntervalMs = 600_000;

/** When the followers of an account were last requested, by the clock of the App. */
export const recentRequests = new Cache<AccountId, number>({
  name: 'federation.followers_requests',
  maxSize: 20_000,
  ttlMs: minRequestIntervalMs,
});

/**
 * Compares the digest of followers in a header of the sender with the stored local followers, and queues a
 * synchronization if they differ. Ignores a header that is invalid or about another account.
 */
export async function compareFollowers(app: App, signer: RemoteKey, field: string): Promise<void> {
  const claim = parseSynchronizationHeader(field);
  if (claim === undefined || !isSameHost(claim.url, signer.actorUri)) return;
  const localFollowers = await getLocalFollowers(app, signer.accountId);
  if (localFollowers.collection !== claim.collectionId || localFollowers.digest === claim.digest) return;
  const now = app.clock.now().getTime();
  if (now - (recentRequests.peek(app, signer.accountId) ?? 0) < minRequestIntervalMs) return;
  recentRequests.set(app, signer.accountId, now);
  const { url, digest } = claim;
  const { accountId } = signer;
  await transaction(app, async ({ enqueue }) =>
    enqueue(synchronizeFollowers({ accountId, url, digest }, { key: `followers ${accountId}`, host: signer.domain })),
  );
}
