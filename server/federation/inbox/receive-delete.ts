import { deleteAccount, type AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import { deleteStatus, unreblogStatus } from '../../statuses/index.ts';
import { idOf, sameHost } from '../documents/values.ts';
import { findKnownStatus } from '../find-status.ts';
import { leaveTombstone, tombstoneName } from '../tombstones.ts';
import { receiveCollectionDelete } from './receive-collections.ts';
import { receiveRevocation } from './receive-quote-answer.ts';
import type { Received } from './received.ts';

/**
 * Somebody deletes a post of its own, or itself with all that it made, or takes back that a post may quote one of its own. A post that is not known yet leaves a tombstone,
 * so that its Create, if it comes late, is ignored.
 */
export async function receiveDelete(app: App, received: Received): Promise<void> {
  const { activity, actor } = received;
  const uri = idOf(activity['object']);
  if (uri === undefined) return;
  if (uri === actor.uri) return deleteAccount(app, actor.id);
  if (await receiveRevocation(app, actor, uri)) return;
  if (sameHost(uri, actor.uri)) await write(app, (write) => leaveTombstone(write, app, tombstoneName(actor.uri, uri)));
  await deleteOwnStatus(app, actor, uri);
  await receiveCollectionDelete(app, received, uri);
}

async function deleteOwnStatus(app: App, actor: AccountRow, uri: string): Promise<void> {
  const status = await findKnownStatus(app, uri);
  if (status === undefined || status.account_id !== actor.id) return;
  if (status.reblog_of_id === null) await deleteStatus(app, status.id);
  else await unreblogStatus(app, actor.id, status.reblog_of_id);
}
