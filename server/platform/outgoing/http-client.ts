import { isIP } from 'node:net';
import { parseAllowedUrl } from './allowed-url.ts';
import { acceptedEncodings, streamResponseBody, readResponseBody } from './outgoing-body.ts';
import { OutgoingError, toOutgoingError } from './outgoing-error.ts';
import { connectionsPerHost, OutgoingSockets, type HostPool } from './outgoing-sockets.ts';
import type { Outgoing, OutgoingPolicy, OutgoingRequest, OutgoingResponse } from './outgoing.ts';
import { isPublicAddress } from './public-address.ts';
import { maxDumpedBytes, requestHead } from './request-head.ts';
import { createResolver, type Resolve } from './resolve-host.ts';
import { toError } from '../errors.ts';

/** What a client needs of the settings. Can be sent to another thread. */
export interface HttpClientSettings {
  /** Whether hosts may have private addresses, plain http and any port. */
  readonly allowsPrivate: boolean;
  /** Address of the proxy that all requests take. */
  readonly proxy: string | undefined;
  readonly userAgent: string;
  /** Maximum number of connections. May be exceeded while none is idle. Default: that of OutgoingSockets. */
  readonly maxSockets: number | undefined;
}

/** Timeout of requests that set none. */
export const defaultTimeoutMs = 10_000;
const defaultMaxBytes = 1024 * 1024;
const defaultMaxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const closedSocketCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Creates a client for requests to other hosts: public addresses only (unless `allowsPrivate`), checked on connecting and
 * after each redirect, with limits on bytes, time and redirects. With a proxy, the proxy resolves names and must refuse
 * private addresses; literal ones are still refused here.
 */
export function createHttpClient(settings: HttpClientSettings, policy: Partial<OutgoingPolicy> = {}): Outgoing {
  const { allowsPrivate, userAgent, maxSockets } = settings;
  const { resolve, isAddressAllowed, allowAnyPort } = {
    resolve: createResolver(),
    isAddressAllowed: allowsPrivate ? () => true : isPublicAddress,
    allowAnyPort: allowsPrivate,
    ...policy,
  };
  const options = { resolve, connectTimeoutMs: defaultTimeoutMs, ...(maxSockets !== undefined && { maxSockets }) };
  const proxy = settings.proxy === undefined ? undefined : new URL(settings.proxy);
  const sockets = new OutgoingSockets({
    ...options,
    isAllowed: isAddressAllowed,
    ...(proxy !== undefined && { proxyFor: async () => proxy }),
  });
  const trustedSockets = new OutgoingSockets({
    ...options,
    isAllowed: () => true,
    ...(proxy !== undefined && {
      proxyFor: async (hostname) => ((await isPrivateHost(hostname, resolve)) ? undefined : proxy),
    }),
  });

  return {
    async request(url, request = {}) {
      const controller = new AbortController();
      const timer = setTimeout(
        () => controller.abort(new OutgoingError('timeout', `${url} did not answer in time`)),
        request.timeoutMs ?? defaultTimeoutMs,
      );
      const abort = (): void => controller.abort(request.signal?.reason);
      request.signal?.addEventListener('abort', abort);
      try {
        request.signal?.throwIfAborted();
        return await follow(url, request, controller.signal);
      } catch (error) {
        throw toOutgoingError(error, hostOf(url));
      } finally {
        clearTimeout(timer);
        request.signal?.removeEventListener('abort', abort);
      }
    },
    close: async () => {
      await Promise.all([sockets.close(), trustedSockets.close()]);
    },
  };

  async function follow(start: string, request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingResponse> {
    const trusted = request.trusted === true;
    const mayRedirect = !trusted && request.method !== 'POST' && request.method !== 'DELETE';
    const maxRedirects = mayRedirect ? (request.maxRedirects ?? defaultMaxRedirects) : 0;
    let url = parseAllowedUrl(start, allowAnyPort || trusted);
    let headers = requestHeaders(request, userAgent);
    for (let left = maxRedirects; ; left -= 1) {
      const current = url;
      const response = await (trusted ? trustedSockets : sockets).withHost(url.origin, (host) =>
        sendRequest(host, current, { request, headers, signal, maxRedirects }),
      );
      if (!(response instanceof URL)) return response;
      if (left === 0) throw new OutgoingError('refused', `${start} redirects more than ${maxRedirects} times`);
      await request.onRedirect?.(response.href);
      url = parseAllowedUrl(response.href, allowAnyPort);
      headers = headersAfterRedirect(headers, current, url);
    }
  }
}

interface RequestAttempt {
  readonly request: OutgoingRequest;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  readonly maxRedirects: number;
}

/** Sends one request. Returns the response, or the target of a redirect if redirects are followed. */
async function sendRequest(host: HostPool, url: URL, attempt: RequestAttempt): Promise<OutgoingResponse | URL> {
  const { request, headers, signal, maxRedirects } = attempt;
  const maxBytes = request.maxBytes ?? defaultMaxBytes;
  const method = request.method ?? 'GET';
  const path = url.pathname + url.search;
  const options = { origin: url.origin, path, method, headers, body: request.body ?? null } as const;
  const maxRetries = method === 'POST' && request.isIdempotent !== true ? 0 : connectionsPerHost;
  if (request.ignoreBody === true && maxRedirects === 0) {
    const head = await retryClosedSocket(host, maxRetries, () => requestHead(host.next(), options, signal));
    return { status: head.statusCode, headers: plainHeaders(head.headers), body: Buffer.alloc(0), url: url.href };
  }
  const response = await retryClosedSocket(host, maxRetries, () => host.next().request({ ...options, signal }));
  const responseHeaders = plainHeaders(response.headers);
  const location = responseHeaders['location'];
  if (maxRedirects > 0 && redirectStatuses.has(response.statusCode) && location !== undefined) {
    await response.body.dump({ limit: maxDumpedBytes, signal });
    if (!URL.canParse(location, url.href)) throw new OutgoingError('unreachable', `${url.href} redirects to nowhere`);
    return new URL(location, url);
  }
  const encoding = request.method === 'HEAD' ? '' : (responseHeaders['content-encoding'] ?? '');
  const body =
    request.receive !== undefined && response.statusCode === 200
      ? await streamResponseBody(response.body, encoding, { maxBytes, receive: request.receive })
      : await readResponseBody(response.body, encoding, maxBytes);
  return { status: response.statusCode, headers: responseHeaders, body, url: url.href };
}

/**
 * Retries up to `maxRetries` times if the host has closed a kept-alive connection. A new connection that closes before its
 * first byte counts as the response.
 */
async function retryClosedSocket<Result>(
  host: HostPool,
  maxRetries: number,
  send: () => Promise<Result>,
): Promise<Result> {
  for (let left = maxRetries; ; left -= 1) {
    const { connectCount } = host;
    try {
      return await send();
    } catch (error) {
      const isClosed = closedSocketCodes.has(toError(error).code ?? '');
      if (left === 0 || !isClosed || host.connectCount !== connectCount) throw error;
    }
  }
}

/** Whether a name leads to a private address here, so that a proxy to the internet is of no use. */
async function isPrivateHost(hostname: string, resolve: Resolve): Promise<boolean> {
  if (isIP(hostname) !== 0) return !isPublicAddress(hostname);
  const { promise, resolve: settle } = Promise.withResolvers<boolean>();
  resolve(hostname, (error, addresses) =>
    settle(error === null && addresses.some(({ address }) => !isPublicAddress(address))),
  );
  return promise;
}

function requestHeaders(request: OutgoingRequest, userAgent: string): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': userAgent, 'accept-encoding': acceptedEncodings };
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
  return headers;
}

/** Signatures, credentials and a Host header are for one host: they are not sent to a redirect target. */
function headersAfterRedirect(headers: Record<string, string>, from: URL, to: URL): Record<string, string> {
  const removed =
    from.origin === to.origin ? signatureHeaders : [...signatureHeaders, 'authorization', 'cookie', 'host'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !removed.includes(name)));
}

const signatureHeaders = ['signature', 'signature-input'];

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url.slice(0, 100);
}
