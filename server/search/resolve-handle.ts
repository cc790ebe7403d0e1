import { findAccountByAcct, parseHandle } from '../accounts/index.ts';
import { resolveAccount } from '../federation/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';

/** Says whether a search is the address of something. */
export const isHttpUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

/**
 * The account of a whole handle (`name@domain`), asked of its server when it is not known here; undefined when the text
 * is no such handle or nobody has it. 503 when its server cannot be reached.
 */
export async function resolveHandle(app: App, text: string): Promise<AccountId | undefined> {
  if (!/^@?[^\s@]+@[^\s@]+$/u.test(text)) return undefined;
  const handle = parseHandle(app, text);
  if (handle === undefined) return undefined;
  const account = await findAccountByAcct(app, text);
  if (account !== undefined || handle.domain === null) return account?.id;
  return resolveAccount(app, text, { throwIfUnavailable: true });
}
