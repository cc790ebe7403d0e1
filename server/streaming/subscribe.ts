import type { App } from '../platform/app.ts';
import { reportTemporaryFailure } from '../platform/temporary-failures.ts';
import { touchStreamedFeed } from '../timelines/index.ts';
import type { StreamConnection } from './connections/connection.ts';
import { streamHub } from './connections/hub.ts';
import type { Stream } from './parse-stream.ts';

/** Adds a stream to a connection. The feed that it shows is stored from now on. */
export function subscribe(app: App, connection: StreamConnection, { feed, ...stream }: Stream): void {
  streamHub(app).subscribe({ connection, ...stream });
  if (feed === undefined) return;
  touchStreamedFeed(app, feed).catch((error: unknown) => {
    if (!reportTemporaryFailure(app, error)) app.log.error({ err: error }, 'the feed of a stream was not stored');
  });
}
