import type { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';

/** How long requests may take to come, in milliseconds. */
export interface RequestTimes {
  /** The headers of any request. */
  readonly headers: number;
  /** A usual request, whole. */
  readonly whole: number;
  /** A large body, whole: 99 MB at 0.3 Mbit/s. */
  readonly slowBody: number;
  /** Between two pieces of a large body. */
  readonly idle: number;
  /** Bits a second that a large body must keep up, on average, once `idle` is over: who sends less is holding a place. */
  readonly slowest: number;
}

export const requestTimes: RequestTimes = {
  headers: 20_000,
  whole: 60_000,
  slowBody: 2_700_000,
  idle: 20_000,
  slowest: 64_000,
};

/**
 * Ends the connections of those who send too slowly. Node has one limit for all requests of a server, which a large
 * upload on a slow line needs long and everybody else short: so that limit is the long one, and here each request is
 * held to its own. Call the result when a request's headers are read.
 */
export function watchRequests(server: Server, times: RequestTimes): (request: IncomingMessage, slow: boolean) => void {
  server.headersTimeout = times.headers;
  server.requestTimeout = times.slowBody;
  // Node looks for late connections this often only when the server is made; a request is watched more closely here.
  return (request, slow) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    // What is injected came whole, over no connection.
    if (!(request.socket instanceof Socket) || request.complete || (length === '0' && encoding === undefined)) return;
    if (slow) watchBody(request, times);
    else endAfter(request, times.whole);
  };
}

function endAfter(request: IncomingMessage, milliseconds: number): void {
  const timer = setTimeout(() => refuse(request.socket), milliseconds).unref();
  const done = (): void => clearTimeout(timer);
  request.once('end', done).once('close', done);
}

function watchBody(request: IncomingMessage, { idle, slowest }: RequestTimes): void {
  const { socket } = request;
  const begun = { at: performance.now(), bytes: socket.bytesRead };
  let last = begun;
  const timer = setInterval(() => {
    const now = { at: performance.now(), bytes: socket.bytesRead };
    const bitsPerSecond = ((now.bytes - begun.bytes) * 8_000) / (now.at - begun.at);
    if (now.bytes === last.bytes || bitsPerSecond < slowest) refuse(socket);
    last = now;
  }, idle).unref();
  const done = (): void => clearInterval(timer);
  request.once('end', done).once('close', done);
}

/** As Node does it with those who are too slow. */
function refuse(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.writable) socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}
