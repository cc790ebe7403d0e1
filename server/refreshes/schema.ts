import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';

/** The progress of work in the background. */
export const AsyncRefresh = entity('AsyncRefresh', {
  id: Type.String(),
  status: Type.Enum(['running', 'finished']),
  result_count: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Null if not counted' }),
});
export type AsyncRefresh = Static<typeof AsyncRefresh>;
