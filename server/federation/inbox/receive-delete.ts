import { deleteAccount } from '../../accounts/lifecycle/index.ts';
import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { deleteHeldPostByUri } from '../../statuses/held/index.ts';
import { deleteStatus } from '../../statuses/post/index.ts';
import { unreblogStatus } from '../../statuses/react/index.ts';
import { idOf, isSameHost } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { revokeAuthorized } from '../revoke-authorized.ts';
import { storeReceivedTombstone, tombstoneKey } from '../tombstones.ts';
import { receiveCollectionDelete } from './receive-collections.ts';
import { receiveQuoteRevocation } from './receive-quote-response.ts';
import type { ReceivedActivity } from './received-activity.ts';

/**
 * Deletes a post or collection of the actor, the actor itself, or the actor's authorization of a quote or other
 * interaction. Stores a tombstone, so that a Create or Accept that arrives later is ignored.
 */
export async function receiveDelete(app: App, received: ReceivedActivity): Promise<void> {
  const { activity, actor } = received;
  const uri = idOf(activity['object']);
  if (uri === undefined) return;
  if (uri === actor.uri) return deleteAccount(app, actor.id);
  if (isSameHost(uri, actor.uri)) await storeReceivedTombstone(app, tombstoneKey(actor.uri, uri));
  if (await receiveQuoteRevocation(app, actor, uri)) return;
  if (await revokeAuthorized(app, actor.id, uri)) return;
  await deleteHeldPostByUri(app, actor.id, uri);
  await deleteAuthoredStatus(app, actor, uri);
  await receiveCollectionDelete(app, received, uri);
}

async function deleteAuthoredStatus(app: App, actor: AccountRow, uri: string): Promise<void> {
  const status = await findStatusByUri(app, uri);
  if (status === undefined || status.account_id !== actor.id) return;
  if (status.reblog_of_id === null) await deleteStatus(app, status.id);
  else await unreblogStatus(app, actor.id, status.reblog_of_id);
}
