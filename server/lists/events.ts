import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

/** These accounts entered or left the exclusive lists of `accountId`, whose home does not show their members. */
export const exclusionsChanged = defineEvent(
  'list.exclusions_changed',
  Type.Object({ accountId: idSchema<'account'>(), memberIds: Type.Array(idSchema<'account'>()) }),
);

/** The members or the replies policy of a list changed. */
export const listChanged = defineEvent('list.changed', Type.Object({ listId: idSchema<'list'>() }));
