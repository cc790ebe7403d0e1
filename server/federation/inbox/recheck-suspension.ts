import { findAccountByUri, type AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { Cache } from '../../platform/caching/cache.ts';
import type { AccountId } from '../../platform/ids.ts';
import { resolveAccount } from '../fetch/resolve-account.ts';
import type { RemoteKey } from '../keys/find-key.ts';

const allowedWhenSuspended: ReadonlySet<string | undefined> = new Set(['Delete', 'Reject', 'Undo', 'Update']);

const minCheckIntervalMs = 300_000;

/** When accounts were last fetched that their own server still suspended, in milliseconds by the clock of the App. */
export const lastChecks = new Cache<AccountId, number>({
  name: 'federation.suspension_checks',
  maxSize: 20_000,
  ttlMs: minCheckIntervalMs,
});

function wasCheckedRecently(app: App, accountId: AccountId): boolean {
  const at = lastChecks.peek(app, accountId);
  return at !== undefined && at + minCheckIntervalMs > app.clock.now().getTime();
}

/**
 * Whether an activity of this type may be stored. Suspended accounts may only undo, delete, reject and update. Others of
 * accounts that their own server suspended are stored too, because the Update that lifts it may arrive later.
 */
export function isAllowedSigner(app: App, signer: RemoteKey, type: string | undefined): boolean {
  if (!signer.suspended || allowedWhenSuspended.has(type)) return true;
  return signer.isSuspendedByOwnServer && !wasCheckedRecently(app, signer.accountId);
}

/**
 * Returns the actor of an activity, or undefined if it is suspended and may not send this type. Fetches an actor that its
 * own server suspended, at most once in five minutes, to learn whether that was lifted.
 */
export async function findAllowedActor(app: App, uri: string, type: string): Promise<AccountRow | undefined> {
  const actor = await findAccountByUri(app, uri);
  if (actor === undefined || actor.suspended_at === null || allowedWhenSuspended.has(type)) return actor;
  if (actor.suspension_origin !== 'remote' || wasCheckedRecently(app, actor.id)) return undefined;
  await resolveAccount(app, uri, { fresh: true });
  const current = await findAccountByUri(app, uri);
  if (current?.suspended_at === null) return current;
  lastChecks.set(app, actor.id, app.clock.now().getTime());
  return undefined;
}
