import type { IncomingMessage } from 'node:http';
import type { RawExchange, Upgrade } from '../platform/http/connection-takeover.ts';
import type { App } from '../platform/app.ts';
import { HttpError } from '../platform/http/http-errors.ts';
import { reportTemporaryFailure } from '../platform/temporary-failures.ts';
import { WebSocketServer, type ServerOptions } from 'ws';
import type { StreamUser } from './connections/connection.ts';
import { startHeartbeat } from './connections/heartbeat.ts';
import { streamHub } from './connections/hub.ts';
import { WebSocketConnection } from './connections/websocket-connection.ts';
import { failedUnsubscribe, tooManyStreams, unexpectedError } from './errors.ts';
import { openStream } from './open-stream.ts';
import { parseStream, streamKey, type Stream, type StreamRequest } from './parse-stream.ts';

/** Streams of one connection. */
const maxStreams = 100;

const options: ServerOptions & { readonly closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  // Compression of small messages costs ten times the memory and the CPU (docs/benchmarks.md).
  perMessageDeflate: false,
  maxPayload: 16_384,
  // Time that a client has to answer a close frame.
  closeTimeout: 1_000,
};

const server = new WebSocketServer(options);

const requestIds = new WeakMap<IncomingMessage, string>();
server.on('headers', (lines, request) => lines.push(`X-Request-Id: ${requestIds.get(request)}`));

/**
 * Turns a request into a WebSocket. `stream`: the first stream, if the address names one, or why there is none. It is open
 * before the client learns that the socket is.
 */
export function acceptWebSocket(
  app: App,
  user: StreamUser,
  { request, response, headers }: RawExchange,
  { upgrade, stream }: { readonly upgrade: Upgrade; readonly stream: PromiseSettledResult<Stream> | undefined },
): void {
  const { socket, head } = upgrade;
  response.detachSocket(request.socket);
  requestIds.set(request, String(headers['x-request-id']));
  server.handleUpgrade(request, socket, head, (webSocket) => {
    const connection = new WebSocketConnection(user, webSocket, socket);
    const hub = streamHub(app);
    hub.add(connection);
    void connection.closed.then(() => hub.remove(connection));
    startHeartbeat(app);
    connection.receiveTexts((text) => handleMessage(app, connection, text));
    if (stream !== undefined)
      connection.inOrder(() => answer(app, connection, () => openFirst(app, connection, stream)));
  });
}

/**
 * Messages that are no JSON object, or of an unknown type, are ignored, as on Mastodon. `ping` is answered: browsers see
 * neither the pings of the server nor a connection that is dead.
 */
async function handleMessage(app: App, connection: WebSocketConnection, text: string): Promise<void> {
  const message = parseMessage(text);
  if (message?.['type'] === 'ping') connection.sendPong();
  const stream = message && toStreamRequest(message);
  if (stream === undefined) return;
  if (message?.['type'] === 'subscribe') await answer(app, connection, () => subscribe(app, connection, stream));
  if (message?.['type'] === 'unsubscribe') await answer(app, connection, () => unsubscribe(app, connection, stream));
}

async function openFirst(
  app: App,
  connection: WebSocketConnection,
  stream: PromiseSettledResult<Stream>,
): Promise<void> {
  if (stream.status === 'rejected') throw stream.reason;
  await openStream(app, connection, stream.value);
}

async function subscribe(app: App, connection: WebSocketConnection, request: StreamRequest): Promise<void> {
  const stream = await parseStream(app, connection.user, request);
  if (connection.subscriptions.length >= maxStreams) throw tooManyStreams();
  await openStream(app, connection, stream);
}

function unsubscribe(app: App, connection: WebSocketConnection, request: StreamRequest): void {
  try {
    streamHub(app).unsubscribe(connection, streamKey(request));
  } catch {
    throw failedUnsubscribe();
  }
}

/** Runs what a client asked for, and sends it the error if there is one. */
async function answer(app: App, connection: WebSocketConnection, work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof HttpError) {
      connection.sendError(error.message, error.status);
      return;
    }
    if (!reportTemporaryFailure(app, error)) app.log.error({ err: error }, 'a message to a stream failed');
    connection.sendError(unexpectedError, 500);
  }
}

function parseMessage(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the stream that a message or a query names. Of repeated parameters the first counts. */
export function toStreamRequest(parameters: Record<string, unknown>): StreamRequest | undefined {
  const name = firstText(parameters['stream']);
  if (name === undefined) return undefined;
  return { name, list: firstText(parameters['list']), tag: firstText(parameters['tag']) };
}

function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}
