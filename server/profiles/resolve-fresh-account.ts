import { findAccount, type AccountRow } from '../accounts/index.ts';
import { resolveAccount } from '../federation/index.ts';
import type { App } from '../platform/app.ts';

/**
 * The account of a handle as it is now: who moves must not be held up, or led astray, by what was known of another
 * server yesterday. Undefined when there is none; 503 when its server does not answer for now.
 */
export async function resolveFreshAccount(app: App, acct: string): Promise<AccountRow | undefined> {
  const id = await resolveAccount(app, acct.trim(), { fresh: true, throwIfUnavailable: true });
  return id === undefined ? undefined : findAccount(app, id);
}
