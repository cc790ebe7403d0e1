import { Type, type Static } from 'typebox';
import { CustomEmoji } from '../emojis/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

/** A poll as a viewer sees it (reference/entities.tsv). */
export const Poll = entity('Poll', {
  id: idSchema<'poll'>(),
  /** Null: never expires. */
  expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  expired: Type.Boolean(),
  multiple: Type.Boolean(),
  votes_count: Type.Integer(),
  /** Null: unknown. */
  voters_count: Type.Union([Type.Integer(), Type.Null()]),
  options: Type.Array(
    Type.Object({
      /** Plain text. */
      title: Type.String(),
      /** Null while the totals are hidden. */
      votes_count: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
  emojis: Type.Array(CustomEmoji),
  /** True for the author. Missing for anonymous viewers, like `own_votes`. */
  voted: Type.Optional(Type.Boolean()),
  /** Indexes of the options that the viewer chose, from 0. */
  own_votes: Type.Optional(Type.Array(Type.Integer())),
});
export type Poll = Static<typeof Poll>;

/** The poll of a new or edited status. */
export const PollInput = entity('PollInput', {
  options: Type.Optional(Type.Array(Type.String(), { description: 'Two to four options of at most 50 characters' })),
  expires_in: Type.Optional(
    Type.Integer({
      description:
        'Seconds from now, five minutes to a month. An edit without it keeps the end, and the votes, of a poll',
    }),
  ),
  multiple: Type.Optional(Type.Boolean({ description: 'More than one option may be chosen' })),
  hide_totals: Type.Optional(
    Type.Boolean({ description: 'Hides the votes until the poll ends. An edit without it leaves that as it is' }),
  ),
});
export type PollInput = Static<typeof PollInput>;
