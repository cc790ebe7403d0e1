import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** A browser in which the user is signed in. */
export const Session = entity('Session', {
  id: idSchema<'session'>(),
  user_agent: Type.String(),
  ip: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String({ format: 'date-time' }),
  /** To the day. */
  last_used_at: Type.String({ format: 'date-time' }),
});
export type Session = Static<typeof Session>;
