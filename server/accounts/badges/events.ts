import { Type } from 'typebox';
import { defineEvent } from '../../platform/write/define-event.ts';

/** The badge that the accounts of one role show changed. */
export const badgesChanged = defineEvent('account.badges_changed', Type.Object({}));
