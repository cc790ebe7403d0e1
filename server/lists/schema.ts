import { Type, type Static } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

/** The replies to others that a list shows: to accounts that its owner follows, to its members, or none. */
export const RepliesPolicy = Type.Union([Type.Literal('followed'), Type.Literal('list'), Type.Literal('none')]);
export type RepliesPolicy = Static<typeof RepliesPolicy>;

export const List = Type.Object(
  {
    id: idSchema<'list'>(),
    title: Type.String(),
    replies_policy: RepliesPolicy,
    exclusive: Type.Boolean(),
  },
  { title: 'List', additionalProperties: false },
);
export type List = Static<typeof List>;
