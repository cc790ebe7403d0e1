import { isIP } from 'node:net';
import type { QueryExecutorProvider } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { FetchBudgetId } from '../ids.ts';
import { descriptorLimit, allocateDescriptors } from '../files/file-descriptors.ts';
import { acceptedEncodings, streamResponseBody, readResponseBody } from './outgoing-body.ts';
import { OutgoingError, toOutgoingError } from './outgoing-error.ts';
import { connectionsPerHost, OutgoingSockets, type HostPool } from './outgoing-sockets.ts';
import { isPublicAddress } from './public-address.ts';
import { maxDumpedBytes, requestHead } from './request-head.ts';
import { describeTemporaryFailure, warnThrottled } from '../temporary-failures.ts';
import { createResolver, type Resolve } from './resolve-host.ts';
import { version } from '../version.ts';
import { toError } from '../errors.ts';

export { OutgoingError } from './outgoing-error.ts';

/** A request to another host. */
export interface OutgoingRequest {
  readonly method?: 'GET' | 'POST' | 'HEAD' | 'DELETE';
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
  /** Maximum size of the response in bytes, decompressed. Default: 1 MiB. */
  readonly maxBytes?: number;
  /** Timeout of the whole request in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
  /**
   * Maximum number of redirects (GET and HEAD only), each checked like the first address. Default: 3. One more is
   * refused. With 0 the redirect itself is the response, so that the caller can sign the next request.
   */
  readonly maxRedirects?: number;
  /** Called with the target before each redirect is followed. An error ends the request. */
  readonly onRedirect?: ((url: string) => Promise<void>) | undefined;
  /**
   * The address is one of our own settings, and the service may be in a private network: plain http, private addresses
   * and any port are allowed, redirects are not followed. Never use it for addresses from other sources.
   */
  readonly trusted?: boolean;
  /**
   * Receives the body of a 200 response in chunks instead of `OutgoingResponse.body`, for bodies too large to hold. The
   * next chunk waits until it resolves; if it rejects, the request fails. A compressed body is refused: send
   * `accept-encoding: identity`.
   */
  readonly receive?: (chunk: Buffer) => Promise<void>;
  /** Only the status and headers are used. The body is not awaited and is returned empty. */
  readonly ignoreBody?: boolean;
  /** The host ignores a repeated POST, so it may be sent again if a kept-alive connection closes before the response. */
  readonly isIdempotent?: boolean;
  /** Aborts the request, which then rejects. */
  readonly signal?: AbortSignal | undefined;
}

export interface OutgoingResponse {
  readonly status: number;
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The final address, after redirects. */
  readonly url: string;
}

/** Sends requests to other hosts. Every such request goes through it. */
export interface Outgoing {
  /** Throws OutgoingError if the host is refused or exceeds the limits of time and size; never for a status. */
  request(url: string, request?: OutgoingRequest): Promise<OutgoingResponse>;
  close(): Promise<void>;
}

/** Limits the requests to other hosts on behalf of one cause. */
export interface FetchBudget {
  /** Stores the usage so far, in the transaction if there is one. Returns the id under which jobs share the budget. */
  store(db?: QueryExecutorProvider): Promise<FetchBudgetId>;
}

/** Which hosts may be requested and how they are resolved. Tests replace it. */
export interface OutgoingPolicy {
  readonly resolve: Resolve;
  /** Whether an IP address may be connected to. */
  readonly isAddressAllowed: (address: string) => boolean;
  /** Whether plain http and ports other than 80 and 443 may be used. */
  readonly allowAnyPort: boolean;
}

/** Timeout of requests that set none. */
export const defaultTimeoutMs = 10_000;
const defaultMaxBytes = 1024 * 1024;
const defaultMaxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const closedSocketCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Creates the client for requests to other hosts: public addresses only (unless ALLOW_PRIVATE_ADDRESSES), checked on
 * connecting and after each redirect, with limits on bytes, time and redirects. With OUTGOING_PROXY, the proxy resolves
 * names and must refuse private addresses; literal ones are still refused here.
 */
export function createOutgoing(config: Config, log: Logger, policy: Partial<OutgoingPolicy> = {}): Outgoing {
  const allowsPrivate = config.ALLOW_PRIVATE_ADDRESSES;
  const { resolve, isAddressAllowed, allowAnyPort } = {
    resolve: createResolver(),
    isAddressAllowed: allowsPrivate ? () => true : isPublicAddress,
    allowAnyPort: allowsPrivate,
    ...policy,
  };
  const limit = descriptorLimit();
  const options = {
    resolve,
    connectTimeoutMs: defaultTimeoutMs,
    ...(limit !== undefined && { maxSockets: allocateDescriptors(limit, config.DATABASE_POOL).outgoing }),
  };
  const proxy = config.OUTGOING_PROXY === undefined ? undefined : new URL(config.OUTGOING_PROXY);
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
  const userAgent = `Fieldfare/${version} (+${config.baseUrl}/)`;

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
        // Not the fault of the host; otherwise every host would seem to be down.
        const shortage = describeTemporaryFailure(error);
        if (shortage !== undefined) warnThrottled(log, shortage, { reason: toError(error).message });
        const failure = toOutgoingError(error, hostOf(url));
        if (failure.reason === 'refused')
          log.debug({ url, reason: failure.message }, 'request to another host refused');
        throw failure;
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

/** Whether requests to an address are possible, as far as its text shows: protocol, port, name of the host. */
export function isAllowedUrl({ ALLOW_PRIVATE_ADDRESSES: allowAnyPort }: Config, text: string): boolean {
  try {
    parseAllowedUrl(text, allowAnyPort);
    return true;
  } catch {
    return false;
  }
}

/** Parses an address and refuses forbidden ones before anything is resolved. */
function parseAllowedUrl(text: string, allowAnyPort: boolean): URL {
  const url = URL.parse(text);
  if (url === null) throw new OutgoingError('refused', 'not a URL');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowAnyPort)) {
    throw new OutgoingError('refused', `the protocol ${url.protocol} is not allowed`);
  }
  if (url.username !== '' || url.password !== '') throw new OutgoingError('refused', 'the URL contains credentials');
  if (!allowAnyPort && !['', '80', '443'].includes(url.port)) {
    throw new OutgoingError('refused', `port ${url.port} is not allowed`);
  }
  if (!allowAnyPort && !isPublicName(url.hostname)) {
    throw new OutgoingError('refused', `${url.hostname} is not a public internet name`);
  }
  // Setting it builds the text of the URL again.
  if (url.hash !== '') url.hash = '';
  return url;
}

/** Other names need the system's resolver, which blocks one of the few threads of the process. */
const isPublicName = (hostname: string): boolean =>
  hostname.startsWith('[') || (/\../.test(hostname) && !/\.localhost\.?$/.test(hostname));

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
