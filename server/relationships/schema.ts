import { Type, type Static } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

const date = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

/**
 * The viewer's relationship to an account. Leaves out `blocked_by` on purpose (REL-03), which would disclose a block.
 * Clients work without it, except the one in oauth/client-quirks.ts (clients.md, row 27).
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

/** A muted account, with the time when the mute expires. */
export const MutedAccount = Type.Intersect([Account, Type.Object({ mute_expires_at: date })], {
  title: 'MutedAccount',
});
export type MutedAccount = Static<typeof MutedAccount>;

/** The followers of an account that the viewer follows. */
export const FamiliarFollowers = entity('FamiliarFollowers', {
  id: idSchema<'account'>(),
  accounts: Type.Array(Account),
});
export type FamiliarFollowers = Static<typeof FamiliarFollowers>;

/** How many follows end if the viewer blocks a domain. */
export const DomainBlockPreview = entity('DomainBlockPreview', {
  following_count: Type.Integer(),
  followers_count: Type.Integer(),
});
export type DomainBlockPreview = Static<typeof DomainBlockPreview>;
