import type { App } from '../../platform/app.ts';
import type { StatusId } from '../../platform/ids.ts';
import { findDeletedStatus } from '../../statuses/many-viewers/index.ts';
import { findDeletionReceivers } from '../../timelines/index.ts';
import { streamHub } from '../connections/hub.ts';
import { StreamEvent } from '../connections/stream-event.ts';
import { findPublicSubscriptions } from './public-topics.ts';
import { sendToAll } from './send.ts';

/** Sends the ids of a deleted status and of its reblogs to the streams that may have shown them. */
export async function deliverDeletion(app: App, id: StatusId): Promise<void> {
  const hub = streamHub(app);
  const [status, feeds] = await Promise.all([
    findDeletedStatus(app, id),
    findDeletionReceivers(app, { accountIds: hub.homes.keys, listIds: hub.lists.keys }, id),
  ]);
  for (const { statusId, accountIds, listIds } of feeds) {
    const subscriptions = new Set([
      ...accountIds.flatMap((accountId) => [...hub.homes.get(accountId)]),
      ...listIds.flatMap((listId) => [...hub.lists.get(listId)]),
    ]);
    if (statusId === id && status !== undefined)
      for (const subscription of findPublicSubscriptions(hub, status)) subscriptions.add(subscription);
    await sendToAll(subscriptions, new StreamEvent('delete', statusId));
  }
  if (status !== undefined && !feeds.some(({ statusId }) => statusId === id))
    await sendToAll(new Set(findPublicSubscriptions(hub, status)), new StreamEvent('delete', id));
}
