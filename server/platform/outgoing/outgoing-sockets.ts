import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import type * as undici from 'undici';
import type { buildConnector, Pool } from 'undici';
import { CacheEntries } from '../caching/cache-entries.ts';
import { OutgoingError } from './outgoing-error.ts';
import type { Resolve } from './resolve-host.ts';

/** Maximum number of connections to one host. */
export const connectionsPerHost = 4;
const maxSockets = 4_000;
const keepAliveMs = 75_000;
const maxKeepAliveMs = 600_000;
/** Maximum size of all response headers, in bytes. */
const maxHeaderBytes = 16_384;
const maxTlsSessions = 2_000;
const tlsSessionTtlMs = 3_600_000;

/** The parts of undici that are used. */
type UndiciModule = Pick<typeof undici, 'buildConnector' | 'Pool'>;

/** The connections to one origin. */
export interface HostPool {
  readonly pool: Pool;
  /** Number of connections that were begun. */
  readonly connectCount: number;
}

interface MutableHostPool extends HostPool {
  /** Number of requests in flight. */
  active: number;
  connectCount: number;
}

/**
 * Connections to other hosts: a few kept-alive ones per host, limited in number, each to an address that `allowed`
 * accepts. The check applies to the address that is connected to, so a name that later resolves differently gains
 * nothing. New connections resume the last TLS session with their host, which halves the cost of the handshake.
 */
export class OutgoingSockets {
  /** By origin, least recently used first. */
  readonly #pools = new Map<string, MutableHostPool>();
  readonly #connectorOptions: buildConnector.BuildOptions;
  readonly #isAllowed: (address: string) => boolean;
  readonly #maxSockets: number;
  /** By host and port. undici would hold them weakly, so that they are lost with the next garbage collection. */
  readonly #tlsSessions = new CacheEntries<string, Buffer>({ maxSize: maxTlsSessions, ttlMs: tlsSessionTtlMs });
  /** Shared, because creating one per connection loads the root certificates again. */
  #secureContext: SecureContext | undefined;
  #library: Promise<UndiciModule> | undefined;
  #open = 0;

  constructor(options: {
    resolve: Resolve;
    isAllowed: (address: string) => boolean;
    connectTimeoutMs: number;
    /** Maximum number of connections. May be exceeded while none is idle. */
    maxSockets?: number;
  }) {
    this.#maxSockets = options.maxSockets ?? maxSockets;
    this.#isAllowed = options.isAllowed;
    this.#connectorOptions = {
      lookup: createCheckedLookup(options.resolve, options.isAllowed),
      timeout: options.connectTimeoutMs,
      allowH2: false,
      maxCachedSessions: 0,
      autoSelectFamily: true,
    };
  }

  /** Number of open connections. */
  get openCount(): number {
    return this.#open;
  }

  /** Runs one request with the pool of `origin`. */
  async withPool<Result>(origin: string, use: (host: HostPool) => Promise<Result>): Promise<Result> {
    // Loaded with the first request: a server that sends none saves 5 MB.
    const library = await (this.#library ??= import('undici'));
    const host = this.#pools.get(origin) ?? this.#createPool(origin, library);
    this.#pools.delete(origin);
    this.#pools.set(origin, host);
    host.active += 1;
    try {
      return await use(host);
    } finally {
      host.active -= 1;
    }
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  #createPool(origin: string, { buildConnector, Pool }: UndiciModule): MutableHostPool {
    if (this.#pools.size >= this.#maxSockets) this.#closeIdlePool();
    const pool = new Pool(origin, {
      connect: (target, callback) => {
        host.connectCount += 1;
        this.#connect(buildConnector, target, callback);
      },
      connections: connectionsPerHost,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: maxKeepAliveMs,
      maxHeaderSize: maxHeaderBytes,
    });
    const host: MutableHostPool = { pool, active: 0, connectCount: 0 };
    return host;
  }

  #connect(
    build: UndiciModule['buildConnector'],
    target: buildConnector.Options,
    callback: buildConnector.Callback,
  ): void {
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    // A literal address is connected to without a lookup.
    if (isIP(literal) !== 0 && !this.#isAllowed(literal)) return callback(refusedError(literal), null);
    if (this.#open >= this.#maxSockets) this.#closeIdlePool();
    const sessionKey = `${target.hostname}:${target.port}`;
    const session = this.#tlsSessions.get(sessionKey);
    const secureContext = (this.#secureContext ??= createSecureContext());
    const connect = build({ ...this.#connectorOptions, secureContext, ...(session !== undefined && { session }) });
    connect(target, (...[error, socket]) => {
      // The second argument is missing if there is an error, whatever the types say.
      if (error !== null) return callback(error, null);
      this.#open += 1;
      socket.once('close', () => (this.#open -= 1));
      onTlsSession(socket, (newSession) => this.#tlsSessions.set(sessionKey, newSession));
      callback(null, socket);
    });
  }

  /** Closes the least recently used idle pool. */
  #closeIdlePool(): void {
    for (const [origin, { pool, active }] of this.#pools) {
      if (active > 0) continue;
      this.#pools.delete(origin);
      // Not awaited: it has no requests, and an idle socket closes at once.
      pool.destroy().catch(() => undefined);
      return;
    }
  }
}

/** Calls `store` with each session of a connected socket that a later connection can resume. */
function onTlsSession(socket: Socket, store: (session: Buffer) => void): void {
  if (!(socket instanceof TLSSocket)) return;
  // Before TLS 1.3 the session is part of the handshake; since then hosts send tickets afterwards.
  const session = socket.getProtocol() === 'TLSv1.3' ? undefined : socket.getSession();
  if (session !== undefined) store(session);
  socket.on('session', store);
}

/** Creates a lookup for sockets that refuses a name if any of its addresses is not allowed. */
function createCheckedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined) return callback(new Error(`${hostname} has no address`), '');
      const bad = addresses.find(({ address }) => !isAllowed(address));
      if (bad !== undefined) return callback(refusedError(`${hostname} (${bad.address})`), '');
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function refusedError(what: string): OutgoingError {
  return new OutgoingError('refused', `${what} is not a public internet address`);
}
