import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';
import { idSchema } from '../platform/id-schema.ts';

/** A webhook of the account was created, changed, disabled or deleted; null: one of staff. */
export const webhooksChanged = defineEvent(
  'webhook.changed',
  Type.Object({ accountId: Type.Union([idSchema<'account'>(), Type.Null()]) }),
);
