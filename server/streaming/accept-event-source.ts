import type { App } from '../platform/app.ts';
import type { RawExchange } from '../platform/http/connection-takeover.ts';
import type { StreamUser } from './connections/connection.ts';
import { EventSourceConnection } from './connections/event-source-connection.ts';
import { startHeartbeat } from './connections/heartbeat.ts';
import { streamHub } from './connections/hub.ts';
import { openStream } from './open-stream.ts';
import type { Stream } from './parse-stream.ts';

/** Answers a request with server-sent events of one stream, which is open before the client receives the headers. */
export function acceptEventSource(
  app: App,
  user: StreamUser,
  { request, response, headers }: RawExchange,
  stream: Stream,
): void {
  const isChunked = request.httpVersion === '1.1';
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'private, no-store',
    // Proxies such as nginx would collect the events.
    'x-accel-buffering': 'no',
    ...(isChunked && { 'transfer-encoding': 'chunked' }),
  });
  const connection = new EventSourceConnection(user, response, isChunked);
  const hub = streamHub(app);
  hub.add(connection);
  void connection.closed.then(() => hub.remove(connection));
  void openStream(app, connection, stream);
  startHeartbeat(app);
}
