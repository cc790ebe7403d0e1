import { perApp, type App } from '../../platform/app.ts';
import { Cache } from '../../platform/cache.ts';
import { write } from '../../platform/database/write.ts';
import type { AccountId } from '../../platform/ids.ts';
import { sameHost } from '../documents/values.ts';
import type { KnownKey } from '../keys/find-key.ts';
import { localFollowersOf } from './followers-digest.ts';
import { readSynchronization } from './header.ts';
import { repairFollowers } from './repair-followers.ts';

/** Milliseconds during which the followers of one account are not asked for again. */
const patience = 600_000;

const askedLately = perApp(() => new Cache<AccountId, number>({ size: 20_000, ttl: patience }));

/**
 * Compares whom the sender of a request holds to be its followers here with whom we do, as a header field of its says,
 * and has the difference looked into by a job. A field that cannot be read, or is about others, does nothing.
 */
export async function compareFollowers(app: App, signer: KnownKey, field: string): Promise<void> {
  const claim = readSynchronization(field);
  if (claim === undefined || !sameHost(claim.url, signer.actorUri)) return;
  const ours = await localFollowersOf(app, signer.accountId);
  if (ours.collection !== claim.collectionId || ours.digest === claim.digest) return;
  const now = app.clock.now().getTime();
  const lately = askedLately(app);
  if (now - (lately.get(signer.accountId) ?? 0) < patience) return;
  lately.set(signer.accountId, now);
  const { url, digest } = claim;
  const { accountId } = signer;
  await write(app, async ({ enqueue }) =>
    enqueue(repairFollowers({ accountId, url, digest }, { key: `followers ${accountId}`, host: signer.domain })),
  );
}
