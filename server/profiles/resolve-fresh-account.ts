import { findAccount, type AccountRow } from '../accounts/find/index.ts';
import { resolveAccount } from '../federation/index.ts';
import type { App } from '../platform/app.ts';

/**
 * Returns the account of a handle in its current state, because a move must not rely on outdated data of a remote
 * account. Undefined if there is none. Throws 503 if the remote server does not respond.
 */
export async function resolveFreshAccount(app: App, acct: string): Promise<AccountRow | undefined> {
  const id = await resolveAccount(app, acct.trim(), { fresh: true, throwIfUnavailable: true });
  return id === undefined ? undefined : findAccount(app, id);
}
