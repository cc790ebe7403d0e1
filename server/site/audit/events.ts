import { defineEvent } from '../../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../../platform/id-schema.ts';

const details = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]);

/** Staff changed something; `recordStaffAction` emits it. The audit log is its only use. */
export const staffActed = defineEvent(
  'staff.acted',
  Type.Object({
    /** The staff member; null for the command line. */
    staffId: Type.Union([idSchema<'account'>(), Type.Null()]),
    /** Kind of target and verb, such as `domain_block.create`. */
    action: Type.String(),
    targetType: Type.String(),
    targetId: Type.Union([Type.String(), Type.Null()]),
    targetLabel: Type.String(),
    before: details,
    after: details,
  }),
);
