import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Upgrade } from './connection-takeover.ts';

/** Whether a request wants to become a WebSocket. Any other upgrade is ignored, as RFC 9110 allows. */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Returns the connection of a request that wants to become a WebSocket; undefined for others. */
export const upgradeOf = (request: IncomingMessage): Upgrade | undefined => upgrades.get(request);

/**
 * Routes requests for WebSockets like all others, so that they have the same checks, limits and errors. Unless a route
 * takes the connection over, it is closed after the response.
 */
export function routeUpgrades(
  server: Server,
  route: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The HTTP server no longer handles errors of this connection; it is closed either way.
    socket.on('error', ignore);
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(request.socket);
    response.once('finish', () => socket.end());
    route(request, response);
  });
}

const ignore = (): void => {};
