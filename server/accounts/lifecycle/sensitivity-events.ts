import { Type } from 'typebox';
import { defineEvent } from '../../platform/events/define-event.ts';
import { idSchema } from '../../platform/ids.ts';

/** Staff marked all media of an account as sensitive, or lifted that. */
export const accountSensitivityChanged = defineEvent(
  'account.sensitivity_changed',
  Type.Object({ accountId: idSchema<'account'>() }),
);
