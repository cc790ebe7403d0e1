import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';

const alert = Type.Optional(Type.Boolean());

/** Which types of notifications are pushed; an absent one is not. */
export const PushAlerts = Type.Object({
  mention: alert,
  status: alert,
  reblog: alert,
  follow: alert,
  follow_request: alert,
  favourite: alert,
  poll: alert,
  update: alert,
  quote: alert,
  quoted_update: alert,
  'admin.sign_up': alert,
  'admin.report': alert,
  severed_relationships: alert,
  moderation_warning: alert,
  annual_report: alert,
  added_to_collection: alert,
  collection_update: alert,
});
export type PushAlerts = Static<typeof PushAlerts>;

/** Whose notifications are pushed: those of everyone, of accounts that the user follows, of followers, or of nobody. */
export const PushPolicy = Type.Enum(['all', 'followed', 'follower', 'none']);
export type PushPolicy = Static<typeof PushPolicy>;

export const WebPushSubscription = entity('WebPushSubscription', {
  /** A JSON number, unlike other ids. */
  id: Type.Integer(),
  endpoint: Type.String(),
  /** Whether messages are encoded as RFC 8291 has it; else in its predecessor, aesgcm. */
  standard: Type.Boolean(),
  /** Public key of the server (VAPID). */
  server_key: Type.String(),
  /** The alerts that the client sent. */
  alerts: PushAlerts,
  policy: PushPolicy,
});
export type WebPushSubscription = Static<typeof WebPushSubscription>;

const data = Type.Optional(
  Type.Object({
    alerts: Type.Optional(PushAlerts),
    policy: Type.Optional(PushPolicy),
    standard: Type.Optional(Type.Boolean({ description: 'The same as subscription[standard]' })),
  }),
);

/** Parameters of a changed subscription. `policy` outside `data` is as Mastodon documents it. */
export const pushDataInput = Type.Object({ data, policy: Type.Optional(PushPolicy) });
export type PushDataInput = Static<typeof pushDataInput>;

export const pushSubscriptionInput = Type.Object({
  subscription: Type.Object({
    endpoint: Type.Optional(Type.String()),
    keys: Type.Optional(Type.Object({ p256dh: Type.Optional(Type.String()), auth: Type.Optional(Type.String()) })),
    standard: Type.Optional(Type.Boolean()),
  }),
  data,
  policy: Type.Optional(PushPolicy),
});
export type PushSubscriptionInput = Static<typeof pushSubscriptionInput>;
