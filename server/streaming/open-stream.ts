import type { App } from '../platform/app.ts';
import { reportTemporaryFailure } from '../platform/temporary-failures.ts';
import { touchStreamedFeed } from '../timelines/index.ts';
import type { StreamConnection } from './connections/connection.ts';
import { streamHub } from './connections/hub.ts';
import type { Stream } from './parse-stream.ts';

/**
 * Subscribes a connection to a stream at once, so that it misses nothing while the database is slow. Resolves when its
 * feed is touched.
 */
export async function openStream(app: App, connection: StreamConnection, stream: Stream): Promise<void> {
  const { key, label, topics } = stream;
  streamHub(app).subscribe({ connection, key, label, topics });
  await touchFeed(app, stream);
}

/** Records that the feed of a stream is used. If that fails, the stream works without a stored feed. */
export async function touchFeed(app: App, { feed }: Stream): Promise<void> {
  if (feed === undefined) return;
  try {
    await touchStreamedFeed(app, feed);
  } catch (error) {
    if (!reportTemporaryFailure(app, error)) app.log.error({ err: error }, 'the feed of a stream was not touched');
  }
}
