import { Type, type Static } from 'typebox';
import { Account } from '../accounts/index.ts';
import { idSchema } from '../platform/ids.ts';

const date = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

/**
 * How the viewer stands to an account. `blocked_by` is left out on purpose (REL-03): it would tell whoever asks that they
 * were blocked; clients get along without it (clients.md, row 27).
 */
export const Relationship = Type.Object(
  {
    id: idSchema<'account'>(),
    following: Type.Boolean(),
    showing_reblogs: Type.Boolean(),
    notifying: Type.Boolean(),
    languages: Type.Union([Type.Array(Type.String()), Type.Null()]),
    followed_by: Type.Boolean(),
    blocking: Type.Boolean(),
    muting: Type.Boolean(),
    muting_notifications: Type.Boolean(),
    muting_expires_at: date,
    requested: Type.Boolean(),
    requested_by: Type.Boolean(),
    domain_blocking: Type.Boolean(),
    endorsed: Type.Boolean(),
    note: Type.String(),
  },
  { title: 'Relationship', additionalProperties: false },
);
export type Relationship = Static<typeof Relationship>;

/** An account that the viewer muted, and until when. */
export const MutedAccount = Type.Intersect([Account, Type.Object({ mute_expires_at: date })], {
  title: 'MutedAccount',
});
