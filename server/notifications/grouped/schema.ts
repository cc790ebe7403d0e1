import { Type, type Static } from 'typebox';
import { Account } from '../../accounts/schema.ts';
import { Collection } from '../../collections/schema.ts';
import { AccountWarning } from '../../moderation/warnings/schema.ts';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { Status } from '../../statuses/schema.ts';
import { Report } from '../../reports/schema.ts';
import { RelationshipSeveranceEvent } from '../../relationships/severances/schema.ts';
import { NotificationFallback } from '../schema.ts';

/** An account of which a client shows the avatar only. */
export const PartialAccountWithAvatar = entity('PartialAccountWithAvatar', {
  id: idSchema<'account'>(),
  acct: Type.String(),
  url: Type.String(),
  avatar: Type.String(),
  avatar_static: Type.String(),
  avatar_description: Type.String(),
  locked: Type.Boolean(),
  bot: Type.Boolean(),
});
export type PartialAccountWithAvatar = Static<typeof PartialAccountWithAvatar>;

const NotificationGroup = entity('NotificationGroup', {
  /** `ungrouped-{id}` for one notification. */
  group_key: Type.String(),
  notifications_count: Type.Integer(),
  type: Type.String(),
  /** A number, as in Mastodon, that is larger than JavaScript can represent exactly. */
  most_recent_notification_id: Type.Integer(),
  /** The oldest and the newest notification of the group; only in lists. */
  page_min_id: Type.Optional(idSchema<'notification'>()),
  page_max_id: Type.Optional(idSchema<'notification'>()),
  latest_page_notification_at: Type.Optional(Type.String({ format: 'date-time' })),
  /** Up to eight senders, newest first. */
  sample_account_ids: Type.Array(idSchema<'account'>()),
  /** For types that are about a status. */
  status_id: Type.Optional(idSchema<'status'>()),
  /** For types that are about a collection. */
  collection: Type.Optional(Collection),
  /** For `admin.report`. */
  report: Type.Optional(Report),
  /** For `severed_relationships`. */
  event: Type.Optional(RelationshipSeveranceEvent),
  /** For `moderation_warning`. */
  moderation_warning: Type.Optional(AccountWarning),
  /** Only for types that the client does not support. */
  fallback: Type.Optional(NotificationFallback),
});
export type NotificationGroup = Static<typeof NotificationGroup>;

/** Groups of notifications, with each account and status once. */
export const GroupedNotificationsResults = entity('GroupedNotificationsResults', {
  accounts: Type.Array(Account),
  /** Only with `expand_accounts=partial_avatars`: the senders that are not in `accounts`. */
  partial_accounts: Type.Optional(Type.Array(PartialAccountWithAvatar)),
  statuses: Type.Array(Status),
  notification_groups: Type.Array(NotificationGroup),
});
export type GroupedNotificationsResults = Static<typeof GroupedNotificationsResults>;
