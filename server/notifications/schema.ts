import { Type, type Static } from 'typebox';
import { Account } from '../accounts/index.ts';
import { Collection } from '../collections/index.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/ids.ts';
import { Status } from '../statuses/index.ts';
import { NotificationFallback } from './fallback.ts';

/** Something that concerns the reader happened. */
export const Notification = entity('Notification', {
  id: idSchema<'notification'>(),
  /** mention, status, reblog, favourite, follow, follow_request, poll, update, quote, quoted_update, added_to_collection, collection_update … */
  type: Type.String(),
  /** The same for notifications that may be shown as one; `ungrouped-{id}` for one that stands alone. */
  group_key: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  /** Who caused it. */
  account: Account,
  /** What it is about, where it is about a post. */
  status: Type.Optional(Status),
  /** What it is about, where it is about a collection. */
  collection: Type.Optional(Collection),
  /** Only when true: it was kept aside. */
  filtered: Type.Optional(Type.Boolean()),
  /** Only for a type that the client has not named among those that it supports. */
  fallback: Type.Optional(NotificationFallback),
});
export type Notification = Static<typeof Notification>;
