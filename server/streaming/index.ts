// Streaming: events for connected clients, over WebSockets and server-sent events.
import type { Subscription } from '../platform/events/reactions.ts';
import type { Route } from '../platform/http/routes.ts';
import { endRevokedStreams } from './connections/end-revoked.ts';
import { deliverEvents } from './deliver/reactions.ts';
import { streamRoutes } from './stream-routes.ts';

export { closeStreams } from './close-streams.ts';
export { redirectRoutes } from './stream-routes.ts';

export const routes: readonly Route[] = streamRoutes;

export const subscriptions: readonly Subscription[] = [...endRevokedStreams, ...deliverEvents];
