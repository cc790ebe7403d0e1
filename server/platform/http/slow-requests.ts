import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Maximum time for receiving a request and sending its response, in milliseconds. */
export interface RequestTimeouts {
  /** The headers of any request. */
  readonly headersMs: number;
  /** A whole request with a small body. */
  readonly requestMs: number;
  /** A whole request with a large body: 99 MB at 0.3 Mbit/s. */
  readonly slowBodyMs: number;
  /** Between two chunks of a large body. */
  readonly idleMs: number;
  /** Minimum average bits per second of a large body once `idle` has passed: slower clients only occupy a connection. */
  readonly minBitsPerSecond: number;
  /** The rest of a body after the response was sent. It is read and discarded, so that the client sees the response. */
  readonly unreadBodyMs: number;
  /** Until a request that was received has a response. Longer than a statement may take (database/connect.ts). */
  readonly responseMs: number;
  /** Without any progress while a response is sent: its source or its reader has stopped. */
  readonly stalledMs: number;
}

export const requestTimeouts: RequestTimeouts = {
  headersMs: 20_000,
  requestMs: 60_000,
  slowBodyMs: 2_700_000,
  idleMs: 20_000,
  minBitsPerSecond: 64_000,
  unreadBodyMs: 30_000,
  responseMs: 75_000,
  stalledMs: 120_000,
};

/**
 * Closes connections that send their request too slowly. Node has one limit for all requests of a server, which is set to
 * what a large upload on a slow line needs; this sets a limit for each request. Call the returned function when the headers
 * of a request have arrived.
 */
export function enforceRequestTimeouts(
  server: Server,
  timeouts: RequestTimeouts,
): (request: IncomingMessage, response: ServerResponse, slow: boolean) => void {
  server.headersTimeout = timeouts.headersMs;
  server.requestTimeout = timeouts.slowBodyMs;
  // Node reads this interval only when the server is created.
  return (request, response, slow) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    // Injected requests arrive whole, without a connection.
    if ((length === '0' && encoding === undefined) || request.complete || !(request.socket instanceof Socket)) return;
    if (slow) watchTransferRate(request, response, timeouts);
    else startTimeout(request, response, timeouts.requestMs);
    response.once('finish', () => drainBody(request, timeouts.unreadBodyMs));
  };
}

/** Reads and discards the rest of a body. Closes the connection if that takes too long. */
function drainBody(request: IncomingMessage, milliseconds: number): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.socket.destroy(), milliseconds).unref();
  request.once('close', () => clearTimeout(timer));
  request.resume();
}

function startTimeout(request: IncomingMessage, response: ServerResponse, milliseconds: number): void {
  const timer = setTimeout(() => sendTimeout(request, response), milliseconds).unref();
  const done = (): void => clearTimeout(timer);
  request.once('end', done).once('close', done);
}

function watchTransferRate(
  request: IncomingMessage,
  response: ServerResponse,
  { idleMs, minBitsPerSecond }: RequestTimeouts,
): void {
  const { socket } = request;
  const started = { at: performance.now(), bytes: socket.bytesRead };
  let last = started;
  const timer = setInterval(() => {
    const now = { at: performance.now(), bytes: socket.bytesRead };
    const bitsPerSecond = ((now.bytes - started.bytes) * 8_000) / (now.at - started.at);
    if (now.bytes === last.bytes || bitsPerSecond < minBitsPerSecond) sendTimeout(request, response);
    last = now;
  }, idleMs).unref();
  const done = (): void => clearInterval(timer);
  request.once('end', done).once('close', done);
}

/** Closes the connection of a response that is not sent completely yet, if it makes no progress for a while. */
export function closeIfStalled(response: ServerResponse, milliseconds: number): void {
  const { socket } = response;
  if (response.writableFinished || !(socket instanceof Socket)) return;
  // The kernel took all of it, as it does with most responses: there is nothing left that could stall.
  if (response.writableEnded && socket.writableLength === 0) return;
  response.setTimeout(milliseconds, () => socket.destroy());
}

/** Sends 408, as Node does for slow requests, unless a response has started, and closes the connection. */
function sendTimeout({ socket }: IncomingMessage, response: ServerResponse): void {
  if (socket.destroyed) return;
  if (socket.writable && !response.headersSent) {
    socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  }
  socket.destroySoon();
}
