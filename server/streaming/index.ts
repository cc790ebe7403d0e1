// Streaming: events for connected clients, over WebSockets and server-sent events.
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Route } from '../platform/http/routes.ts';
import { singleSample, type MetricSource } from '../platform/metrics/metric-source.ts';
import { streamHub } from './connections/hub.ts';
import { endRevokedStreams } from './connections/end-revoked.ts';
import { deliverEvents } from './deliver/reactions.ts';
import { streamRoutes } from './stream-routes.ts';

export { closeStreams } from './close-streams.ts';
export { redirectRoutes } from './stream-routes.ts';

export const routes: readonly Route[] = streamRoutes;

export const subscriptions: readonly Subscription[] = [...endRevokedStreams, ...deliverEvents];

/** Open streams of this process. */
export const metrics: readonly MetricSource[] = [
  {
    name: 'fieldfare_streams',
    help: 'Open streams of this process, WebSockets and server-sent events',
    kind: 'gauge',
    labels: [],
    collect: (app) => singleSample(streamHub(app).size),
  },
];
