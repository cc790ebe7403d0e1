import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

/** Staff decided about a local account, and its user is to know. */
export const accountWarned = defineEvent(
  'account.warned',
  Type.Object({ warningId: idSchema<'warning'>(), accountId: idSchema<'account'>() }),
);

/** Staff moderated an account. Emitted in the transaction of the change. */
export const accountModerated = defineEvent(
  'account.moderated',
  Type.Object({
    accountId: idSchema<'account'>(),
    /** The staff member; null for the command line. */
    staffId: Type.Union([idSchema<'account'>(), Type.Null()]),
    action: Type.Enum([
      'approve',
      'reject',
      'warn',
      'sensitize',
      'unsensitize',
      'disable',
      'enable',
      'silence',
      'unsilence',
      'suspend',
      'unsuspend',
      'delete_statuses',
      'mark_statuses_as_sensitive',
      'delete',
      'change_role',
    ]),
  }),
);

/** Staff deleted posts of a remote account on this server. */
export const remoteStatusesDeleted = defineEvent(
  'status.deleted_by_staff',
  Type.Object({ accountId: idSchema<'account'>(), uris: Type.Array(Type.String()) }),
);

/** A user appealed a decision of staff. */
export const appealCreated = defineEvent(
  'appeal.created',
  Type.Object({ appealId: idSchema<'appeal'>(), accountId: idSchema<'account'>() }),
  { onlyAdds: true },
);
