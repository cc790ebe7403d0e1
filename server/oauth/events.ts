import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

/** Tokens of apps were revoked: all that match every id in the event. */
export const tokensRevoked = defineEvent(
  'oauth.tokens_revoked',
  Type.Object({
    userId: Type.Optional(idSchema<'user'>()),
    applicationId: Type.Optional(idSchema<'application'>()),
    tokenId: Type.Optional(idSchema<'token'>()),
  }),
);
