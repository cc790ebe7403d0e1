import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

/** An invite as the user who created it manages it. */
export const OwnInvite = entity('Fieldfare::Invite', {
  id: idSchema<'invite'>(),
  code: Type.String(),
  url: Type.String(),
  max_uses: Type.Union([Type.Integer(), Type.Null()], { description: 'null: any number' }),
  uses: Type.Integer(),
  expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  autofollow: Type.Boolean({ description: 'Whether those who sign up follow you' }),
  collection_id: Type.Union([idSchema<'collection'>(), Type.Null()], {
    description: 'Your collection that is recommended to those who sign up',
  }),
  created_at: Type.String({ format: 'date-time' }),
});
export type OwnInvite = Static<typeof OwnInvite>;
