import type { AccountRow } from '../../accounts/index.ts';
import { findLocalAccount } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idOf, type Json } from '../documents/values.ts';
import { localUsername } from '../local-addresses.ts';

/** An activity that its own actor signed. */
export interface ReceivedActivity {
  readonly activity: Json;
  readonly actor: AccountRow;
  /** The local account in whose inbox it came; null for the shared one. */
  readonly inboxAccountId: AccountId | null;
}

/** The local account that a property names by its actor id. */
export async function findLocalActor(app: App, value: unknown): Promise<AccountRow | undefined> {
  const uri = idOf(value);
  const username = uri === undefined ? undefined : localUsername(app, uri);
  return username === undefined ? undefined : findLocalAccount(app, username);
}
