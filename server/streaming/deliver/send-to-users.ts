import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { streamHub } from '../connections/hub.ts';
import type { StreamEvent } from '../connections/stream-event.ts';
import { deliveries } from './deliveries.ts';
import { sendToAll } from './send.ts';

/** Sends an event to the `user` streams of these accounts, or of all, that are open in this process. */
export function sendToUsers(app: App, accountIds: readonly AccountId[] | 'all', event: StreamEvent): void {
  const { homes } = streamHub(app);
  for (const accountId of accountIds === 'all' ? homes.keys : accountIds) {
    const subscriptions = homes.get(accountId);
    if (subscriptions.size > 0) deliveries(app).start(`user ${accountId}`, () => sendToAll(subscriptions, event));
  }
}
