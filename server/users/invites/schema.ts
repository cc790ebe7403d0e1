import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** An invite as staff manage it. */
export const AdminInvite = entity('Fieldfare::Admin::Invite', {
  id: idSchema<'invite'>(),
  code: Type.String(),
  url: Type.String(),
  account_id: Type.Union([idSchema<'account'>()], { description: 'The user who invites' }),
  username: Type.String(),
  max_uses: Type.Union([Type.Integer(), Type.Null()], { description: 'null: any number' }),
  uses: Type.Integer(),
  expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  usable: Type.Boolean({ description: 'Neither used up nor expired, and its user may use the server' }),
  bypasses_approval: Type.Boolean({ description: 'Whether its sign-ups need no approval by staff' }),
  autofollow: Type.Boolean({ description: 'Whether those who sign up follow the user who invites' }),
  collection_id: Type.Union([idSchema<'collection'>(), Type.Null()], {
    description: 'A collection of the user that is recommended to those who sign up',
  }),
  comment: Type.Union([Type.String(), Type.Null()], { description: 'Note for staff' }),
  created_at: Type.String({ format: 'date-time' }),
});
export type AdminInvite = Static<typeof AdminInvite>;
