import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import type { Id } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';

export type SeveranceId = Id<'severance'>;

/** Follows that an account lost at once. */
export const RelationshipSeveranceEvent = entity('RelationshipSeveranceEvent', {
  id: idSchema<'severance'>(),
  /** `domain_block`: by staff; `user_domain_block`: by the account itself. */
  type: Type.Union([
    Type.Literal('domain_block'),
    Type.Literal('user_domain_block'),
    Type.Literal('account_suspension'),
  ]),
  /** Whether the list of lost follows is not stored: older versions stored only their number. */
  purged: Type.Boolean(),
  /** The domain, or the address of the account. */
  target_name: Type.String(),
  followers_count: Type.Integer(),
  following_count: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
});
export type RelationshipSeveranceEvent = Static<typeof RelationshipSeveranceEvent>;
