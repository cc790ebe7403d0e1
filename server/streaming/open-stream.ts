import { perApp, type App } from '../platform/app.ts';
import { reportTemporaryFailure } from '../platform/temporary-failures.ts';
import { touchStreamedFeed } from '../timelines/index.ts';
import type { StreamConnection } from './connections/connection.ts';
import { streamHub } from './connections/hub.ts';
import type { Stream } from './parse-stream.ts';

/** Feeds of open streams that are being touched. */
const touches = perApp(() => new Set<Promise<void>>());

/**
 * Subscribes a connection to a stream at once, so that it misses nothing while the database is slow. Resolves when its
 * feed is touched; never rejects.
 */
export async function openStream(app: App, connection: StreamConnection, stream: Stream): Promise<void> {
  const { key, label, topics } = stream;
  streamHub(app).subscribe({ connection, key, label, topics });
  const touch = touchFeed(app, stream);
  touches(app).add(touch);
  await touch;
  touches(app).delete(touch);
}

/** Resolves when the feeds of all open streams are touched, for tests. */
export async function feedsTouched(app: App): Promise<void> {
  await Promise.all(touches(app));
}

/** Records that the feed of a stream is used. If that fails, the stream works without a stored feed. */
async function touchFeed(app: App, { feed }: Stream): Promise<void> {
  if (feed === undefined) return;
  try {
    await touchStreamedFeed(app, feed);
  } catch (error) {
    if (!reportTemporaryFailure(app, error)) app.log.error({ err: error }, 'the feed of a stream was not touched');
  }
}
