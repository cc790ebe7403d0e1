import { Type } from 'typebox';
import { defineEvent } from '../../platform/write/define-event.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** A remote account allowed searches for its posts, or no longer allows them. */
export const accountIndexableChanged = defineEvent(
  'account.indexable_changed',
  Type.Object({ accountId: idSchema<'account'>() }),
);
