// Web push: sends notifications to the push services of apps and browsers, encrypted for them.
import type { Subscription } from '../platform/write/subscriptions.ts';
import { deleteRevokedSubscriptions } from './delete-subscription.ts';
import { enqueuePushes } from './enqueue-pushes.ts';
import { sendPush } from './send-push.ts';

export { createSubscription } from './create-subscription.ts';
export { isMobileBrowser, withDefaultAlerts } from './default-alerts.ts';
export { pushSubscriptionChanged } from './events.ts';
export { routes } from './routes.ts';
export { sealToken } from './seal-token.ts';
export { pushDataInput, pushSubscriptionInput, WebPushSubscription } from './schema.ts';
export { unsubscribeByToken } from './unsubscribe-token.ts';
export { updateSubscription } from './update-subscription.ts';
export { caches } from './caches.ts';

export const subscriptions: readonly Subscription[] = [
  enqueuePushes,
  deleteRevokedSubscriptions,
  sendPush.subscription,
];
