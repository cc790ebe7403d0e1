import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { deliveryProperties, webhookStateProperties } from '../schema.ts';

/**
 * The events of staff webhooks: those of Mastodon (reference/entities.tsv: Admin::WebhookEvent), and our own
 * `held_post.created`.
 */
export const staffEvents = [
  'account.approved',
  'account.created',
  'account.updated',
  'held_post.created',
  'report.created',
  'report.updated',
  'status.created',
  'status.updated',
] as const;
export type StaffEvent = (typeof staffEvents)[number];

export const StaffEvent = Type.Enum([...staffEvents]);

const properties = {
  ...webhookStateProperties,
  events: Type.Array(StaffEvent),
  template: Type.Union([Type.String(), Type.Null()], {
    description: 'The body, with variables such as {{object.id}}; null: the whole Admin::WebhookEvent',
  }),
};

/** A webhook of staff. */
export const StaffWebhook = entity('Fieldfare::Admin::Webhook', properties);
export type StaffWebhook = Static<typeof StaffWebhook>;

/** A webhook of staff with its secret, which is shown only when it is created or rotated. */
export const CredentialStaffWebhook = entity('Fieldfare::Admin::CredentialWebhook', {
  ...properties,
  secret: Type.String({ description: 'The key of the signatures in X-Hub-Signature' }),
});
export type CredentialStaffWebhook = Static<typeof CredentialStaffWebhook>;

export const staffWebhookInput = Type.Object({
  url: Type.Optional(Type.String({ description: 'https, on a public host and the usual port' })),
  events: Type.Optional(Type.Array(StaffEvent)),
  template: Type.Optional(Type.String({ description: 'Blank: the whole event' })),
});
export type StaffWebhookInput = Static<typeof staffWebhookInput>;

/** An event of a webhook of staff. */
export const StaffDelivery = entity('Fieldfare::Admin::WebhookDelivery', { ...deliveryProperties, event: StaffEvent });
export type StaffDelivery = Static<typeof StaffDelivery>;
