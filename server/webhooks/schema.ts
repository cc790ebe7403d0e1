import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

const instant = Type.String({ format: 'date-time' });
const instantOrNull = Type.Union([instant, Type.Null()]);

/** What a webhook can be notified of: always something of its own account (docs/webhooks.md). */
export const WebhookEvent = Type.Enum([
  'status.created',
  'status.updated',
  'status.deleted',
  'notification.created',
  'follow.created',
  'follower.created',
]);
export type WebhookEvent = Static<typeof WebhookEvent>;

const DisabledReason = Type.Enum(['owner', 'failures', 'gone']);
export type DisabledReason = Static<typeof DisabledReason>;

const DeliveryState = Type.Enum(['pending', 'delivered', 'failed']);
export type DeliveryState = Static<typeof DeliveryState>;

/** Properties of webhooks of users and of staff. */
export const webhookStateProperties = {
  id: idSchema<'webhook'>(),
  url: Type.String(),
  state: Type.Enum(['active', 'failing', 'disabled'], {
    description: 'failing: the last attempts failed, and more follow. disabled: nothing is sent or stored',
  }),
  disabled_reason: Type.Union([DisabledReason, Type.Null()], {
    description: 'gone: the address answered 410. failures: nothing was accepted for three days',
  }),
  failing_since: instantOrNull,
  last_delivered_at: instantOrNull,
  dropped_events: Type.Integer({ description: 'Events that were lost because 1,000 others were waiting' }),
  created_at: instant,
  updated_at: instant,
};

const webhookProperties = { ...webhookStateProperties, events: Type.Array(WebhookEvent) };

export const Webhook = entity('Webhook', {
  ...webhookProperties,
  application: Type.Optional(
    Type.Union([Type.Object({ id: idSchema<'application'>(), name: Type.String() }), Type.Null()], {
      description:
        'Only for the session of the user, who sees the webhooks of all apps; null: of a token without an app',
    }),
  ),
});
export type Webhook = Static<typeof Webhook>;

/** A webhook with its secret, which is shown only when it is created. */
export const CredentialWebhook = entity('CredentialWebhook', {
  ...webhookProperties,
  secret: Type.String({ description: 'The key of the signatures: `whsec_` and base64 (Standard Webhooks)' }),
});
export type CredentialWebhook = Static<typeof CredentialWebhook>;

/** Properties of deliveries to users and to staff. */
export const deliveryProperties = {
  id: idSchema<'webhook-delivery'>(),
  state: DeliveryState,
  attempts: Type.Integer(),
  response_status: Type.Union([Type.Integer(), Type.Null()]),
  error: Type.Union([Type.String(), Type.Null()], {
    description:
      'Why there was no response: timeout, unreachable, refused for a private address, or internal for an error of this server',
  }),
  created_at: instant,
  last_attempt_at: instantOrNull,
};

export const WebhookDelivery = entity('WebhookDelivery', {
  ...deliveryProperties,
  event: Type.Union([WebhookEvent, Type.Literal('webhook.ping')]),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const webhookInput = Type.Object({
  url: Type.Optional(Type.String({ description: 'https, on a public host and the usual port' })),
  events: Type.Optional(Type.Array(WebhookEvent)),
});
export type WebhookInput = Static<typeof webhookInput>;
