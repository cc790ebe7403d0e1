import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';
import { idSchema } from '../platform/id-schema.ts';

/** A push subscription of the account was created, changed or deleted. */
export const pushSubscriptionChanged = defineEvent(
  'push.subscription_changed',
  Type.Object({ accountId: idSchema<'account'>() }),
  { onlyAdds: true },
);
