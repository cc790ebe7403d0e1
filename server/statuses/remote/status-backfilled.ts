import { defineEvent } from '../../platform/write/define-event.ts';
import { statusCreated } from '../events.ts';

/**
 * A remote status was read from a collection of its author, not delivered. It is no news: feeds, notifications, streams,
 * webhooks and trends ignore it (docs/decisions/0166). Same data as `statusCreated`.
 */
export const statusBackfilled = defineEvent('status.backfilled', statusCreated.schema, { onlyAdds: true });
