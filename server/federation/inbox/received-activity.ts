import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idOf, type Json } from '../documents/values.ts';
import { findLocalActorByAddress } from '../find-account-by-address.ts';

/** An activity signed by its actor. */
export interface ReceivedActivity {
  readonly activity: Json;
  readonly actor: AccountRow;
  /** Owner of the personal inbox; null for the shared inbox. */
  readonly inboxAccountId: AccountId | null;
  /** Id of the request that contained it. */
  readonly requestUri?: string | undefined;
}

/** Returns the local account whose address a property contains. */
export async function findLocalActor(app: App, value: unknown): Promise<AccountRow | undefined> {
  const uri = idOf(value);
  return uri === undefined ? undefined : findLocalActorByAddress(app, uri);
}
