import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** A note of staff about an account, for staff only. */
export const ModerationNote = entity('Fieldfare::Admin::AccountNote', {
  id: idSchema<'moderation-note'>(),
  content: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  staff_account_id: Type.Union([idSchema<'account'>(), Type.Null()], {
    description: 'Null for the command line, and after the account of the author was deleted',
  }),
});
export type ModerationNote = Static<typeof ModerationNote>;
