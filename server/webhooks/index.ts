// Webhooks: sends the events of an account to addresses that its apps choose, signed.
import type { Subscription } from '../platform/events/reactions.ts';
import type { Schedule } from '../platform/jobs/run-schedules.ts';
import { deleteRevokedWebhooks } from './delete-webhook.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { resumeDeliveries } from './resume-deliveries.ts';
import { storeReactions } from './store-deliveries.ts';

export { deleteWebhookAsStaff } from './delete-webhook.ts';
export { webhooksChanged } from './events.ts';
export { type AccountWebhook, listAccountWebhooks } from './find-webhooks.ts';
export { routes } from './routes.ts';
export type { WebhookId } from './tables.ts';

export const subscriptions: readonly Subscription[] = [
  ...storeReactions,
  deleteRevokedWebhooks,
  deliverWebhook.subscription,
];

export const schedules: readonly Schedule[] = [resumeDeliveries];
