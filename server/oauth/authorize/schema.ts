import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** An app with access to an account. */
export const AuthorizedApplication = entity('AuthorizedApplication', {
  id: idSchema<'application'>(),
  name: Type.String(),
  website: Type.Union([Type.String(), Type.Null()]),
  scopes: Type.Array(Type.String()),
  created_at: Type.String({ format: 'date-time', description: 'When the user first allowed it' }),
  last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'To the day' }),
});
export type AuthorizedApplication = Static<typeof AuthorizedApplication>;
