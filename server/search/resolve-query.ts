import { findAccountByAcct, readHandle } from '../accounts/index.ts';
import { resolveAccount, type Resolved, resolveUrl } from '../federation/index.ts';
import type { App } from '../platform/app.ts';
import { unavailable } from '../platform/http/problems.ts';
import type { AccountId } from '../platform/ids.ts';
import { OutgoingError } from '../platform/outgoing.ts';

/** Says whether a search is the address of something. */
export const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

/**
 * What an address leads to, asked of its server when it is not known here; undefined when it is no account or status.
 * 503 when the server cannot be reached: there is nothing else to answer with.
 */
export async function resolveAddress(app: App, address: string): Promise<Resolved | undefined> {
  try {
    return await resolveUrl(app, address);
  } catch (error) {
    if (error instanceof OutgoingError) throw unavailable();
    throw error;
  }
}

/**
 * The account of a whole handle (`name@domain`), asked of its server when it is not known here; undefined when the text
 * is no such handle or nobody has it. Throws an OutgoingError when the server cannot be reached.
 */
export async function resolveHandle(app: App, text: string): Promise<AccountId | undefined> {
  if (!/^@?[^\s@]+@[^\s@]+$/u.test(text)) return undefined;
  const handle = readHandle(app, text);
  if (handle === undefined) return undefined;
  const known = await findAccountByAcct(app, text);
  if (known !== undefined || handle.domain === null) return known?.id;
  return resolveAccount(app, text);
}
