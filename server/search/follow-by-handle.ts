import { findAccountByAcct } from '../accounts/find/index.ts';
import { resolveAccount, resolveUrl } from '../federation/index.ts';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { followAccount, type FollowOptions } from '../relationships/follow/index.ts';
import { isHttpUrl } from './resolve-handle.ts';

/**
 * Follows the account of a handle, actor id or profile page, or requests to, and returns its id (FOL-05). Fetches an unknown
 * remote account. Throws 404 if there is none, 503 if its server cannot be reached. Idempotent.
 */
export async function followByHandle(
  app: App,
  accountId: AccountId,
  acct: string,
  options: FollowOptions,
): Promise<AccountId> {
  const targetId = isHttpUrl(acct) ? await resolvePage(app, acct) : await resolveHandle(app, acct);
  if (targetId === undefined) throw notFound();
  await followAccount(app, accountId, targetId, options);
  return targetId;
}

async function resolvePage(app: App, url: string): Promise<AccountId | undefined> {
  const found = await resolveUrl(app, url);
  return found !== undefined && 'accountId' in found ? found.accountId : undefined;
}

async function resolveHandle(app: App, acct: string): Promise<AccountId | undefined> {
  const known = await findAccountByAcct(app, acct);
  return known?.id ?? resolveAccount(app, acct, { throwIfUnavailable: true });
}
