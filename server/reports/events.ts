import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';
import { idSchema } from '../platform/id-schema.ts';

/** A local or remote account reported an account. */
export const reportCreated = defineEvent(
  'report.created',
  Type.Object({
    reportId: idSchema<'report'>(),
    /** The reporter. */
    accountId: idSchema<'account'>(),
    targetAccountId: idSchema<'account'>(),
  }),
  { onlyAdds: true },
);

/** Staff changed, assigned, resolved, reopened or forwarded a report. */
export const reportUpdated = defineEvent('report.updated', Type.Object({ reportId: idSchema<'report'>() }));

/** Staff chose to send a copy of a report to the server of its account. */
export const reportForwarded = defineEvent(
  'report.forwarded',
  Type.Object({ reportId: idSchema<'report'>(), domain: Type.String() }),
  { onlyAdds: true },
);
