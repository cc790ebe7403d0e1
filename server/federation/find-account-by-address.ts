import {
  findAccount,
  findAccountByUri,
  findAccountsByHandle,
  findLocalAccount,
  type AccountRow,
} from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import { isLocalActorAddress, parseAccountAddress } from './local-addresses.ts';

/** Returns the stored account of an actor id, or of any local address of an account. Sends no request. */
export async function findAccountByAddress(app: App, uri: string): Promise<AccountRow | undefined> {
  const address = parseAccountAddress(app, uri);
  if (address === undefined) return findAccountByUri(app, uri);
  if ('id' in address) return findLocalAccountById(app, address.id);
  return address.domain === null
    ? findLocalAccount(app, address.username)
    : (await findAccountsByHandle(app, [address]))[0];
}

/** Returns the local account that a local address names. */
export async function findLocalActorByAddress(app: App, uri: string): Promise<AccountRow | undefined> {
  return isLocalActorAddress(app, uri) ? findAccountByAddress(app, uri) : undefined;
}

/** Returns the local account with this id; undefined for a remote one. */
export async function findLocalAccountById(app: App, id: AccountId): Promise<AccountRow | undefined> {
  const account = await findAccount(app, id);
  return account?.domain === null ? account : undefined;
}
