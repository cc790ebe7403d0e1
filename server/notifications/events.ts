import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';
import { defineEvent } from '../platform/jobs/events.ts';

/** `accountId` has a new notification. */
export const notificationCreated = defineEvent(
  'notification.created',
  Type.Object({ notificationId: idSchema<'notification'>(), accountId: idSchema<'account'>() }),
);
