import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** An account at a provider with which the user signs in. */
export const LinkedSignIn = entity('LinkedSignIn', {
  id: idSchema<'identity'>(),
  issuer: Type.String(),
  /** Null: people can no longer sign in with the provider. */
  provider: Type.Union([Type.String(), Type.Null()]),
  label: Type.String(),
  /** The address that the provider named last. */
  email: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
});
export type LinkedSignIn = Static<typeof LinkedSignIn>;
