import { findAccountByUri, findAccountsByHandle, findLocalAccount, type AccountRow } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { localHandle } from './local-addresses.ts';

/** Returns the stored account of an actor id, or of any local address of an account. Sends no request. */
export async function findAccountByAddress(app: App, uri: string): Promise<AccountRow | undefined> {
  const handle = localHandle(app, uri);
  if (handle === undefined) return findAccountByUri(app, uri);
  return handle.domain === null
    ? findLocalAccount(app, handle.username)
    : (await findAccountsByHandle(app, [handle]))[0];
}
