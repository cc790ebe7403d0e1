import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

/** An account of another server was read, the collections of which were not for a day. */
export const collectionsRefreshRequested = defineEvent(
  'account.collections_refresh_requested',
  Type.Object({ accountId: idSchema<'account'>() }),
);

/** A remote account sent an Update of its profile, which it also sends when its pins change. */
export const featuredRefreshRequested = defineEvent(
  'account.featured_refresh_requested',
  Type.Object({ accountId: idSchema<'account'>() }),
);

/** A post of another server came with the names of answers to it, which its server has as well. */
export const repliesFound = defineEvent(
  'status.replies_found',
  Type.Object({ statusId: idSchema<'status'>(), uris: Type.Array(Type.String()) }),
);

/** An account of another server says that it moved to `uri`, which is not known here, or not known to agree. */
export const moveTargetRequested = defineEvent(
  'account.move_target_requested',
  Type.Object({ accountId: idSchema<'account'>(), uri: Type.String() }),
);
