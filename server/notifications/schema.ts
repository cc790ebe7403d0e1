import { Type, type Static } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { Collection } from '../collections/schema.ts';
import { AccountWarning } from '../moderation/warnings/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';
import { Status } from '../statuses/schema.ts';
import { Report } from '../reports/schema.ts';
import { RelationshipSeveranceEvent } from '../relationships/severances/schema.ts';

/** Texts for clients that do not support the type of a notification (reference/entities.tsv). HTML. */
export const NotificationFallback = entity('NotificationFallback', {
  title: Type.Union([Type.String(), Type.Null()]),
  summary: Type.Union([Type.String(), Type.Null()]),
  description: Type.Null(),
});
export type NotificationFallback = Static<typeof NotificationFallback>;

export const Notification = entity('Notification', {
  id: idSchema<'notification'>(),
  /**
   * mention, status, reblog, favourite, follow, follow_request, poll, update, quote, quoted_update,
   * added_to_collection, collection_update, severed_relationships, moderation_warning, admin.sign_up …
   */
  type: Type.String(),
  /** Notifications with the same key may be shown as one; `ungrouped-{id}` for one without a group. */
  group_key: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  /** The account that caused it. */
  account: Account,
  /** For types that are about a status. */
  status: Type.Optional(Status),
  /** For types that are about a collection. */
  collection: Type.Optional(Collection),
  /** For `admin.report`. */
  report: Type.Optional(Report),
  /** For `severed_relationships`. */
  event: Type.Optional(RelationshipSeveranceEvent),
  /** For `moderation_warning`. */
  moderation_warning: Type.Optional(AccountWarning),
  /** Present only if true. */
  filtered: Type.Optional(Type.Boolean()),
  /** Only for types that the client does not support. */
  fallback: Type.Optional(NotificationFallback),
});
export type Notification = Static<typeof Notification>;
