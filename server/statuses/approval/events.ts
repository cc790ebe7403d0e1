import { Type } from 'typebox';
import { defineEvent } from '../../platform/write/define-event.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** A reply is no longer part of its thread: the author of its parent revoked it. `local`: its author is local. */
export const statusDetached = defineEvent(
  'status.detached',
  Type.Object({ statusId: idSchema<'status'>(), accountId: idSchema<'account'>(), local: Type.Boolean() }),
);
