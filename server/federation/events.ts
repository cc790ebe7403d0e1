import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';
import { defineEvent } from '../platform/jobs/events.ts';

/** An account of another server was read, the collections of which were not for a day. */
export const collectionsWanted = defineEvent(
  'federation.collections-wanted',
  Type.Object({ accountId: idSchema<'account'>() }),
);

/** An account of another server says that it moved to `uri`, which is not known here, or not known to agree. */
export const moveTargetWanted = defineEvent(
  'federation.move-target-wanted',
  Type.Object({ accountId: idSchema<'account'>(), uri: Type.String() }),
);
