import { findNotification, presentNotifications } from '../../notifications/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId, NotificationId } from '../../platform/ids.ts';
import { streamHub } from '../connections/hub.ts';
import { StreamEvent } from '../connections/stream-event.ts';
import { sendToAll } from './send.ts';

interface NewNotification {
  readonly notificationId: NotificationId;
  readonly accountId: AccountId;
}

/** Sends a new notification to its account, unless it is filtered. */
export async function deliverNotification(app: App, { notificationId, accountId }: NewNotification): Promise<void> {
  const row = await findNotification(app, accountId, notificationId);
  const subscriptions = streamHub(app).notifications.get(accountId);
  const [subscription] = subscriptions;
  if (row === undefined || row.filtered || subscription === undefined) return;
  const [notification] = await presentNotifications(app, subscription.connection.user.viewer, [row]);
  if (notification !== undefined) await sendToAll(subscriptions, new StreamEvent('notification', notification.text));
}
