import { Type } from 'typebox';
import { CustomEmoji } from '../emojis/index.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/ids.ts';

const instant = Type.String({ format: 'date-time' });
const instantOrNull = Type.Union([instant, Type.Null()]);

/** Entity Announcement (reference/entities.tsv). */
export const Announcement = entity('Announcement', {
  id: idSchema<'row'>(),
  content: Type.String({ description: 'Safe HTML' }),
  starts_at: instantOrNull,
  ends_at: instantOrNull,
  all_day: Type.Boolean(),
  published_at: instantOrNull,
  updated_at: instant,
  read: Type.Optional(Type.Boolean()),
  mentions: Type.Array(
    Type.Object({ id: idSchema<'account'>(), username: Type.String(), url: Type.String(), acct: Type.String() }),
  ),
  statuses: Type.Array(Type.Object({ id: idSchema<'status'>(), url: Type.String() })),
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
});
