import { Type } from 'typebox';
import { defineEvent } from '../../platform/write/define-event.ts';
import { idSchema } from '../../platform/id-schema.ts';

const accountPayload = Type.Object({ accountId: idSchema<'account'>() });

/** Staff marked all media of an account as sensitive, or lifted that. */
export const accountSensitivityChanged = defineEvent('account.sensitivity_changed', accountPayload);

/** Staff silenced a local account, or lifted that: others see another visibility of its public posts. */
export const accountSilenceChanged = defineEvent('account.silence_changed', accountPayload);
