import { findAccountByAcct, parseHandle } from '../accounts/find/index.ts';
import { resolveAccount } from '../federation/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';

/** Whether the text is an HTTP URL. */
export const isHttpUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

/**
 * Returns the account of a handle with a domain (`name@domain`), fetched if it is unknown. Undefined if the text is no such
 * handle or there is no such account. Throws 503 if its server cannot be reached.
 */
export async function resolveHandle(app: App, text: string): Promise<AccountId | undefined> {
  if (!/^@?[^\s@]+@[^\s@]+$/u.test(text)) return undefined;
  const handle = parseHandle(app, text);
  if (handle === undefined) return undefined;
  const account = await findAccountByAcct(app, text);
  if (account !== undefined || handle.domain === null) return account?.id;
  return resolveAccount(app, text, { throwIfUnavailable: true });
}
