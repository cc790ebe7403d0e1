import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

/** `accountId` has a new notification. */
export const notificationCreated = defineEvent(
  'notification.created',
  Type.Object({ notificationId: idSchema<'notification'>(), accountId: idSchema<'account'>() }),
);
