import { Type, type Static } from 'typebox';

const count = Type.String({ pattern: '^[0-9]+$' });

export const Tag = Type.Object({
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
