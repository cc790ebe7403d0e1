import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { toError } from '../errors.ts';
import { ProxyUnavailable } from './proxy-unavailable.ts';

/** A host to connect to. */
export interface ProxyTarget {
  /** A name, or an address, in brackets if it is IPv6. */
  readonly hostname: string;
  readonly port: string;
}

/**
 * Opens a connection to a host through an HTTP proxy (CONNECT), which resolves its name. Throws ProxyUnavailable if the
 * proxy cannot be used, and another error if it does not reach the host.
 */
export function connectThroughProxy(proxy: URL, target: ProxyTarget, timeoutMs: number): Promise<Socket> {
  const { hostname, port } = target;
  const authority = `${hostname}:${port}`;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const send = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = send({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : proxy.port,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...proxyCredentials(proxy) },
    agent: false,
    timeout: timeoutMs,
  });
  request.once('connect', ({ statusCode = 0 }, socket: Socket) => {
    // That of undici counts from here.
    socket.setTimeout(0);
    if (statusCode === 200) return resolve(socket);
    socket.destroy();
    const message = `the proxy answered ${statusCode} for ${authority}`;
    reject(statusCode === 407 ? new ProxyUnavailable(message) : new Error(message));
  });
  // An answer without a body is a connection, too; this one has none.
  request.once('response', ({ statusCode }) => {
    request.destroy();
    reject(new Error(`the proxy answered ${statusCode} for ${authority}`));
  });
  request.once('timeout', () => request.destroy(new Error(`the proxy did not connect to ${authority} in time`)));
  let isConnected = false;
  request.once('socket', (socket) => socket.once('connect', () => (isConnected = true)));
  request.once('error', (error) => reject(isConnected ? error : new ProxyUnavailable(toError(error).message)));
  request.end();
  return promise;
}

function proxyCredentials({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}
