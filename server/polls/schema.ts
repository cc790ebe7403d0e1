import { Type, type Static } from 'typebox';
import { CustomEmoji } from '../emojis/index.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/ids.ts';

/** A poll as a viewer sees it (reference/entities.tsv). */
export const Poll = entity('Poll', {
  id: idSchema<'poll'>(),
  /** Null: open without end. */
  expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  expired: Type.Boolean(),
  multiple: Type.Boolean(),
  votes_count: Type.Integer(),
  /** Null when the server of the poll does not tell. */
  voters_count: Type.Union([Type.Integer(), Type.Null()]),
  options: Type.Array(
    Type.Object({
      /** Plain text. */
      title: Type.String(),
      /** Null while the author hides it. */
      votes_count: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
  emojis: Type.Array(CustomEmoji),
  /** Left out for the anonymous, as `own_votes`; true for the author. */
  voted: Type.Optional(Type.Boolean()),
  /** Places of the options that the viewer chose, from 0. */
  own_votes: Type.Optional(Type.Array(Type.Integer())),
});
export type Poll = Static<typeof Poll>;

/** A poll as clients send it with a post. */
export const PollInput = entity('PollInput', {
  options: Type.Optional(Type.Array(Type.String(), { description: 'Two to four texts of at most 50 characters' })),
  expires_in: Type.Optional(Type.Integer({ description: 'Seconds from now, five minutes to a month' })),
  multiple: Type.Optional(Type.Boolean({ description: 'More than one option may be chosen' })),
  hide_totals: Type.Optional(Type.Boolean({ description: 'Shows the votes only at the end' })),
});
export type PollInput = Static<typeof PollInput>;
