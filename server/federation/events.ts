import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

/** A remote account was viewed or stored, and its collections were last fetched more than a day ago. */
export const collectionsRefreshRequested = defineEvent(
  'account.collections_refresh_requested',
  Type.Object({ accountId: idSchema<'account'>() }),
  { onlyAdds: true },
);

/** A remote account sent an Update of its profile, which it also sends when its pins change. */
export const featuredRefreshRequested = defineEvent(
  'account.featured_refresh_requested',
  Type.Object({ accountId: idSchema<'account'>() }),
  { onlyAdds: true },
);

/** A remote post came with the ids of replies on its own server. */
export const repliesFound = defineEvent(
  'status.replies_found',
  Type.Object({ statusId: idSchema<'status'>(), uris: Type.Array(Type.String()) }),
  { onlyAdds: true },
);

/** A remote account moved to `uri`, which is unknown or not known to name the account as an alias. */
export const moveTargetRequested = defineEvent(
  'account.move_target_requested',
  Type.Object({ accountId: idSchema<'account'>(), uri: Type.String() }),
  { onlyAdds: true },
);

/** Activities were stored in the inbox for the worker. */
export const activitiesAccepted = defineEvent('federation.activities_accepted', Type.Object({}), { onlyAdds: true });

/** Deliveries were stored, or became due before their time. */
export const deliveriesScheduled = defineEvent('federation.deliveries_scheduled', Type.Object({}), { onlyAdds: true });

/** A delivery to a host failed. */
export const deliveryFailed = defineEvent('federation.delivery_failed', Type.Object({ host: Type.String() }), {
  onlyAdds: true,
});

/** Staff paused or resumed the deliveries to a host. Evicts caches. */
export const hostPauseChanged = defineEvent('federation.host_pause_changed', Type.Object({ host: Type.String() }));

/** A relay was added, removed, subscribed to or answered. Evicts caches. */
export const relaysChanged = defineEvent('federation.relays_changed', Type.Object({}));
