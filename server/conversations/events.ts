import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

/** A conversation has a new post; `conversationId` is the id under which `accountId` lists it. */
export const conversationUpdated = defineEvent(
  'conversation.updated',
  Type.Object({ conversationId: idSchema<'row'>(), accountId: idSchema<'account'>() }),
);
