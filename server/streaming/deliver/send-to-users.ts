import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { streamHub } from '../connections/hub.ts';
import type { StreamEvent } from '../connections/stream-event.ts';
import { deliveries } from './deliveries.ts';
import { sendToAll } from './send.ts';

/** Sends an event to the `user` streams of an account, or of all, that are open in this process. */
export function sendToUsers(app: App, receivers: AccountId | 'all', event: StreamEvent): Promise<void> | undefined {
  const { homes } = streamHub(app);
  const subscriptions =
    receivers === 'all' ? homes.keys.flatMap((accountId) => [...homes.get(accountId)]) : [...homes.get(receivers)];
  if (subscriptions.length === 0) return undefined;
  return deliveries(app).start(`user ${receivers}`, () => sendToAll(subscriptions, event));
}
