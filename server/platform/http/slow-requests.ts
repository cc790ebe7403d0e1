import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** How long requests may take to come, in milliseconds. */
export interface RequestTimeouts {
  /** The headers of any request. */
  readonly headersMs: number;
  /** A usual request, whole. */
  readonly requestMs: number;
  /** A large body, whole: 99 MB at 0.3 Mbit/s. */
  readonly slowBodyMs: number;
  /** Between two pieces of a large body. */
  readonly idleMs: number;
  /** Bits a second that a large body must keep up, on average, once `idle` is over: who sends less is holding a place. */
  readonly minBitsPerSecond: number;
  /** What is left of a body after the answer was sent: it is read and thrown away, so that the client sees the answer. */
  readonly unreadBodyMs: number;
}

export const requestTimeouts: RequestTimeouts = {
  headersMs: 20_000,
  requestMs: 60_000,
  slowBodyMs: 2_700_000,
  idleMs: 20_000,
  minBitsPerSecond: 64_000,
  unreadBodyMs: 30_000,
};

/**
 * Closes connections that send their request too slowly. Node has one limit for all requests of a server; it is set to
 * what a large upload on a slow line needs, and each request gets a limit of its own here. Call the result when the
 * headers of a request were read.
 */
export function enforceRequestTimeouts(
  server: Server,
  timeouts: RequestTimeouts,
): (request: IncomingMessage, response: ServerResponse, slow: boolean) => void {
  server.headersTimeout = timeouts.headersMs;
  server.requestTimeout = timeouts.slowBodyMs;
  // Node looks for late connections this often only when the server is made; a request is watched more closely here.
  return (request, response, slow) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    // What is injected came whole, over no connection.
    if (!(request.socket instanceof Socket) || request.complete || (length === '0' && encoding === undefined)) return;
    if (slow) watchTransferRate(request, response, timeouts);
    else startTimeout(request, response, timeouts.requestMs);
    response.once('finish', () => drainBody(request, timeouts.unreadBodyMs));
  };
}

/** Reads and ignores what is left of a body, and closes the connection when that takes too long. */
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

/** Answers 408 as Node does for slow requests, unless an answer has begun, and closes the connection. */
function sendTimeout({ socket }: IncomingMessage, response: ServerResponse): void {
  if (socket.destroyed) return;
  if (socket.writable && !response.headersSent) {
    socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  }
  socket.destroySoon();
}
