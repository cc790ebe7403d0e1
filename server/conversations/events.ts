import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

/** A conversation got a new status. `conversationId`: id of the conversation of `accountId`. */
export const conversationUpdated = defineEvent(
  'conversation.updated',
  Type.Object({ conversationId: idSchema<'row'>(), accountId: idSchema<'account'>() }),
  { onlyAdds: true },
);
