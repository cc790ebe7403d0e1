import { Type } from 'typebox';
import { defineEvent } from '../../platform/write/define-event.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** The outbox of a remote account is to be read: its newest posts, or with `older` where the last read stopped. */
export const outboxReadRequested = defineEvent(
  'account.outbox_read_requested',
  Type.Object({ accountId: idSchema<'account'>(), older: Type.Boolean() }),
  { onlyAdds: true },
);
