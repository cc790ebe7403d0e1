import { Type, type Static } from 'typebox';
import { Account } from '../../accounts/schema.ts';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { Status } from '../schema.ts';

/** An interaction with a post that waits for its author, or that the author decided about. */
export const InteractionRequest = entity('InteractionRequest', {
  id: idSchema<'interaction-request'>(),
  type: Type.Enum(['favourite', 'reply', 'reblog']),
  created_at: Type.String({ format: 'date-time' }),
  account: Account,
  /** The post. */
  status: Status,
  /** Only for replies. */
  reply: Type.Optional(Status),
  accepted_at: Type.Optional(Type.String({ format: 'date-time' })),
  rejected_at: Type.Optional(Type.String({ format: 'date-time' })),
  revoked_at: Type.Optional(Type.String({ format: 'date-time' })),
});
export type InteractionRequest = Static<typeof InteractionRequest>;
