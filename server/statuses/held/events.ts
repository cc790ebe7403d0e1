import { Type } from 'typebox';
import { defineEvent } from '../../platform/write/define-event.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** A moderation rule holds a post of `accountId` for review. */
export const statusHeld = defineEvent(
  'status.held',
  Type.Object({ heldId: idSchema<'status'>(), accountId: idSchema<'account'>() }),
);
