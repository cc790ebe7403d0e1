import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';
import { idSchema } from '../platform/id-schema.ts';

/** The filters of an account changed. Emitted once per request, however many keywords it changes. */
export const filtersChanged = defineEvent('filters.changed', Type.Object({ accountId: idSchema<'account'>() }));
