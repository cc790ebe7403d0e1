import { Type, type Static } from 'typebox';
import { Account } from '../../accounts/schema.ts';
import { entity } from '../../platform/http/entity.ts';
import type { Id } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { Status } from '../../statuses/schema.ts';

/** A request to be listed among the notifications. */
export type RequestId = Id<'notification-request'>;

/** The filtered notifications of one sender. */
export const NotificationRequest = entity('NotificationRequest', {
  id: idSchema<'notification-request'>(),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
  /** Filtered mentions and quotes, at most 100. A number as text, as in Mastodon. */
  notifications_count: Type.String(),
  /** The sender. */
  account: Account,
  /** The status of the newest one; null if the viewer may not see it. */
  last_status: Type.Union([Status, Type.Null()]),
});
export type NotificationRequest = Static<typeof NotificationRequest>;
