import { findAccountByAcct, parseHandle } from '../accounts/find/index.ts';
import { resolveAccount } from '../federation/index.ts';
import type { App } from '../platform/app.ts';
import { HttpError } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';

/** Whether the text is an HTTP URL. */
export const isHttpUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

/** What an address or handle leads to; or the host that did not answer. */
export type Resolved<Found> = { readonly found: Found | undefined } | { readonly unreachableHost: string };

/** Resolves something that `host` serves. Other errors than the 503 of a host that does not answer are thrown. */
export async function resolveFrom<Found>(
  host: string,
  resolve: () => Promise<Found | undefined>,
): Promise<Resolved<Found>> {
  try {
    return { found: await resolve() };
  } catch (error) {
    if (error instanceof HttpError && error.status === 503) return { unreachableHost: host };
    throw error;
  }
}

/**
 * Returns the account of a handle with a domain (`name@domain`), fetched if it is unknown. Undefined if the text is no such
 * handle or there is no such account.
 */
export async function resolveHandle(app: App, text: string): Promise<Resolved<AccountId>> {
  const handle = /^@?[^\s@]+@[^\s@]+$/u.test(text) ? parseHandle(app, text) : undefined;
  if (handle === undefined) return { found: undefined };
  const account = await findAccountByAcct(app, text);
  if (account !== undefined || handle.domain === null) return { found: account?.id };
  return resolveFrom(handle.domain, () => resolveAccount(app, text, { throwIfUnavailable: true }));
}
