import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

/**
 * Whether `accountId` wants these accounts in its home is to be asked anew: they entered or left an exclusive list of
 * its, or such a list became one or ceased to be.
 */
export const exclusionsChanged = defineEvent(
  'list.exclusions_changed',
  Type.Object({ accountId: idSchema<'account'>(), memberIds: Type.Array(idSchema<'account'>()) }),
);

/** A list shows other posts than before: members came or went, or it shows other replies. */
export const listChanged = defineEvent('list.changed', Type.Object({ listId: idSchema<'list'>() }));
