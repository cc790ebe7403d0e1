import { Type } from 'typebox';
import { defineEvent } from '../platform/events/define-event.ts';
import { idSchema } from '../platform/ids.ts';

/** A webhook of the account was created, changed, disabled or deleted. */
export const webhooksChanged = defineEvent('webhook.changed', Type.Object({ accountId: idSchema<'account'>() }));
