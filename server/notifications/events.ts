import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

/** A notification to `accountId` was stored, and is not filtered. */
export const notificationCreated = defineEvent(
  'notification.created',
  Type.Object({
    notificationId: idSchema<'notification'>(),
    accountId: idSchema<'account'>(),
    type: Type.String(),
  }),
  { onlyAdds: true },
);

/** Notifications to these accounts were deleted, or are no longer filtered. */
export const notificationsChanged = defineEvent(
  'notification.changed',
  Type.Object({ accountIds: Type.Array(idSchema<'account'>()) }),
);

/** All requests that `accountId` accepted are merged: the notifications of their senders are listed. */
export const requestsMerged = defineEvent(
  'notification.requests_merged',
  Type.Object({ accountId: idSchema<'account'>() }),
);
