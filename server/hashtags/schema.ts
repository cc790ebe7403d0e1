import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

const count = Type.String({ pattern: '^[0-9]+$' });

export const Tag = entity('Tag', {
  id: Type.String({ description: 'Empty for an unused hashtag' }),
  name: Type.String({ description: 'In its first spelling, without #' }),
  url: Type.String(),
  history: Type.Array(Type.Object({ day: count, uses: count, accounts: count }), {
    description: 'The last seven days, newest first; `day` is the Unix time of its start (UTC)',
  }),
  following: Type.Optional(Type.Boolean()),
  featuring: Type.Optional(Type.Boolean()),
});
export type Tag = Static<typeof Tag>;

/** A hashtag that a profile features. */
export const FeaturedTag = Type.Object(
  {
    id: idSchema<'row'>(),
    name: Type.String(),
    url: Type.String({ description: 'The page of the posts of this account with the hashtag' }),
    statuses_count: count,
    last_status_at: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
  },
  { title: 'FeaturedTag' },
);
export type FeaturedTag = Static<typeof FeaturedTag>;
