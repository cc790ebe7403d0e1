import { Type, type Static } from 'typebox';
import { CustomEmoji } from '../emojis/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';
import { Status } from '../statuses/schema.ts';

const instant = Type.String({ format: 'date-time' });
const instantOrNull = Type.Union([instant, Type.Null()]);

const properties = {
  id: idSchema<'announcement'>(),
  content: Type.String({ description: 'Safe HTML' }),
  starts_at: instantOrNull,
  ends_at: instantOrNull,
  all_day: Type.Boolean(),
  published_at: instantOrNull,
  updated_at: instant,
  mentions: Type.Array(
    Type.Object({ id: idSchema<'account'>(), username: Type.String(), url: Type.String(), acct: Type.String() }),
  ),
  statuses: Type.Array(Status),
  tags: Type.Array(Type.Object({ name: Type.String(), url: Type.String() })),
  emojis: Type.Array(CustomEmoji),
  reactions: Type.Array(
    Type.Object({
      name: Type.String({ description: 'A Unicode emoji, or the shortcode of a custom emoji' }),
      count: Type.Integer(),
      me: Type.Optional(Type.Boolean()),
      url: Type.Optional(Type.String()),
      static_url: Type.Optional(Type.String()),
    }),
  ),
};

/** Entity Announcement (reference/entities.tsv). */
export const Announcement = entity('Announcement', {
  ...properties,
  read: Type.Optional(Type.Boolean({ description: 'Whether the viewer dismissed it' })),
});
export type Announcement = Static<typeof Announcement>;

/** An announcement as staff see it, published or not. */
export const AdminAnnouncement = entity('Admin::Announcement', {
  ...properties,
  text: Type.String({ description: 'As typed' }),
  published: Type.Boolean({ description: 'Whether users see it' }),
  draft: Type.Boolean({ description: 'Staff have not published it, or withdrew it' }),
  scheduled_at: instantOrNull,
  created_at: instant,
});
export type AdminAnnouncement = Static<typeof AdminAnnouncement>;
