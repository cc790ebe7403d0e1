import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/ids.ts';

const count = Type.String({ pattern: '^[0-9]+$' });

export const Tag = entity('Tag', {
  id: Type.String({ description: 'Empty for a hashtag that nobody used yet' }),
  name: Type.String({ description: 'As it was first written, without #' }),
  url: Type.String(),
  history: Type.Array(Type.Object({ day: count, uses: count, accounts: count }), {
    description: 'The last seven days, newest first; `day` is the Unix time of its beginning (UTC)',
  }),
  following: Type.Optional(Type.Boolean()),
  featuring: Type.Optional(Type.Boolean()),
});
export type Tag = Static<typeof Tag>;

/** A hashtag that a profile shows. */
export const FeaturedTag = Type.Object(
  {
    id: idSchema<'row'>(),
    name: Type.String(),
    url: Type.String({ description: 'The page of the posts of this account that have it' }),
    statuses_count: count,
    last_status_at: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
  },
  { title: 'FeaturedTag' },
);
export type FeaturedTag = Static<typeof FeaturedTag>;
