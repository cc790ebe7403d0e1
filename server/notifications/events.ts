import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

/** A notification to `accountId` was stored. */
export const notificationCreated = defineEvent(
  'notification.created',
  Type.Object({ notificationId: idSchema<'notification'>(), accountId: idSchema<'account'>() }),
);
