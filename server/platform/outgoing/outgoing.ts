import type { QueryExecutorProvider } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { toError } from '../errors.ts';
import { allocateDescriptors, descriptorLimit } from '../files/file-descriptors.ts';
import type { FetchBudgetId } from '../ids.ts';
import { describeTemporaryFailure, warnThrottled } from '../temporary-failures.ts';
import { version } from '../version.ts';
import { BulkRequests } from './bulk-requests.ts';
import { createHttpClient, type HttpClientSettings } from './http-client.ts';
import { OutgoingError } from './outgoing-error.ts';
import type { Resolve } from './resolve-host.ts';

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
  /**
   * One of possibly thousands at a time. If many are sent, a thread of its own sends them, so that they do not delay what
   * users wait for. Only together with `ignoreBody`, and not with functions or signals.
   */
  readonly isBulk?: boolean;
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

/** Clients of a process: one for most requests, one in the thread of bulk requests. */
const clientCount = 2;

/**
 * Creates what sends requests to other hosts, by the rules of `createHttpClient`. Bulk requests have a thread of their own
 * while there are many, unless `policy` replaces functions, which no other thread can call.
 */
export function createOutgoing(config: Config, log: Logger, policy?: Partial<OutgoingPolicy>): Outgoing {
  const settings = clientSettings(config);
  const client = createHttpClient(settings, policy);
  const bulk = policy === undefined ? new BulkRequests(client, settings, log) : client;
  return {
    async request(url, request = {}) {
      try {
        return await (request.isBulk === true ? bulk : client).request(url, request);
      } catch (error) {
        if (error instanceof OutgoingError) logFailure(log, url, error);
        throw error;
      }
    },
    close: async () => {
      await Promise.all([client.close(), bulk.close()]);
    },
  };
}

function clientSettings(config: Config): HttpClientSettings {
  const limit = descriptorLimit();
  const sockets = limit === undefined ? undefined : allocateDescriptors(limit, config.DATABASE_POOL).outgoing;
  return {
    allowsPrivate: config.ALLOW_PRIVATE_ADDRESSES,
    proxy: config.OUTGOING_PROXY,
    userAgent: `Fieldfare/${version} (+${config.baseUrl}/)`,
    maxSockets: sockets === undefined ? undefined : Math.ceil(sockets / clientCount),
  };
}

function logFailure(log: Logger, url: string, { reason, message, cause }: OutgoingError): void {
  // Not the fault of the host; otherwise every host would seem to be down.
  const shortage = describeTemporaryFailure(cause);
  if (shortage !== undefined) warnThrottled(log, shortage, { reason: toError(cause).message });
  if (reason === 'refused') log.debug({ url, reason: message }, 'request to another host refused');
}
