// Webhooks: sends the events of an account to addresses that its apps choose, and those of the server for staff, signed.
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Route } from '../platform/http/routes.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { deleteRevokedWebhooks } from './delete-webhook.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { resumeDeliveries } from './resume-deliveries.ts';
import { routes as userRoutes } from './routes.ts';
import { staffWebhookRoutes } from './staff/routes.ts';
import { staffReactions } from './staff/store-staff-events.ts';
import { storeReactions } from './store-deliveries.ts';

export { deleteWebhookAsStaff } from './delete-webhook.ts';
export { webhooksChanged } from './events.ts';
export { type AccountWebhook, listAccountWebhooks } from './find-webhooks.ts';
export type { WebhookId } from './tables.ts';
export { caches } from './caches.ts';

export const subscriptions: readonly Subscription[] = [
  ...storeReactions,
  ...staffReactions,
  deleteRevokedWebhooks,
  deliverWebhook.subscription,
];

export const routes: readonly Route[] = [...userRoutes, ...staffWebhookRoutes];

export const schedules: readonly Schedule[] = [resumeDeliveries];
