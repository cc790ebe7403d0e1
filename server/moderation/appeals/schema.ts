import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { AccountWarning } from '../warnings/schema.ts';

const instant = Type.String({ format: 'date-time' });

export const appealStates = ['pending', 'approved', 'rejected'] as const;

/** The appeal of a user, as staff see it. */
export const AdminAppeal = entity('Fieldfare::Admin::Appeal', {
  id: idSchema<'appeal'>(),
  state: Type.Enum([...appealStates]),
  text: Type.String(),
  created_at: instant,
  decided_at: Type.Union([instant, Type.Null()]),
  /** The decision that the user appeals. */
  strike: AccountWarning,
});
export type AdminAppeal = Static<typeof AdminAppeal>;
export type AppealState = AdminAppeal['state'];
