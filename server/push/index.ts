// Web push: sends notifications to the push services of apps, encrypted for the app.
import type { Subscription } from '../platform/events/reactions.ts';
import { deleteRevokedSubscriptions } from './delete-subscription.ts';
import { pushReactions } from './enqueue-pushes.ts';
import { sendPush } from './send-push.ts';

export { pushSubscriptionChanged } from './events.ts';
export { routes } from './routes.ts';

export const subscriptions: readonly Subscription[] = [
  ...pushReactions,
  deleteRevokedSubscriptions,
  sendPush.subscription,
];
