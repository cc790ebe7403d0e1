import { findAccountByAcct } from '../accounts/find/index.ts';
import { resolveAccount } from '../federation/index.ts';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { followAccount, type FollowOptions } from '../relationships/follow/index.ts';

/**
 * Follows the account of a handle, or requests to, and returns its id (FOL-05). Fetches an unknown remote account. Throws
 * 404 if there is none, 503 if its server cannot be reached. Idempotent.
 */
export async function followByHandle(
  app: App,
  accountId: AccountId,
  acct: string,
  options: FollowOptions,
): Promise<AccountId> {
  const known = await findAccountByAcct(app, acct);
  const targetId = known?.id ?? (await resolveAccount(app, acct, { throwIfUnavailable: true }));
  if (targetId === undefined) throw notFound();
  await followAccount(app, accountId, targetId, options);
  return targetId;
}
