import { Type } from 'typebox';
import { defineEvent } from '../platform/events/define-event.ts';
import { idSchema } from '../platform/ids.ts';

/** A local or remote account reported an account. */
export const reportCreated = defineEvent(
  'report.created',
  Type.Object({
    reportId: idSchema<'report'>(),
    /** The reporter. */
    accountId: idSchema<'account'>(),
    targetAccountId: idSchema<'account'>(),
  }),
);
