import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import type * as undici from 'undici';
import type { buildConnector, Client, Dispatcher, Pool } from 'undici';
import { CacheEntries } from '../caching/cache-entries.ts';
import { toError } from '../errors.ts';
import { OutgoingError } from './outgoing-error.ts';
import { connectThroughProxy } from './proxy-connection.ts';
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
type UndiciModule = Pick<typeof undici, 'buildConnector' | 'Client' | 'Pool'>;

/** The connections to one origin. */
export interface HostPool {
  /** Returns the connection for the next request. */
  next(): Dispatcher;
  /** Number of connections that were begun. */
  readonly connectCount: number;
}

/**
 * The connections to one origin. Most need one at a time. Requests beside another one share a pool of the others, which is
 * created with the first of them, because undici allocates a queue of 16 KB for it.
 */
class HostConnections implements HostPool {
  readonly #library: UndiciModule;
  readonly #origin: string;
  readonly #options: Client.Options;
  readonly #client: Client;
  #others: Pool | undefined;
  /** Number of requests in flight. */
  active = 0;
  connectCount = 0;

  constructor(library: UndiciModule, origin: string, connect: buildConnector.connector) {
    this.#library = library;
    this.#origin = origin;
    this.#options = {
      connect: (target, callback) => {
        this.connectCount += 1;
        connect(target, callback);
      },
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: maxKeepAliveMs,
      maxHeaderSize: maxHeaderBytes,
    };
    this.#client = new library.Client(origin, this.#options);
  }

  next(): Dispatcher {
    if (this.#client.stats.size === 0) return this.#client;
    const { Pool } = this.#library;
    return (this.#others ??= new Pool(this.#origin, { ...this.#options, connections: connectionsPerHost - 1 }));
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#client.destroy(), this.#others?.destroy()]);
  }
}

/**
 * Connections to other hosts: a few kept-alive ones per host, limited in number, each to an address that `allowed`
 * accepts. The check applies to the address that is connected to, so a name that later resolves differently gains
 * nothing. New connections resume the last TLS session with their host, which halves the cost of the handshake.
 */
export class OutgoingSockets {
  /** By origin, least recently used first. */
  readonly #hosts = new Map<string, HostConnections>();
  readonly #connectorOptions: buildConnector.BuildOptions;
  readonly #isAllowed: (address: string) => boolean;
  readonly #maxSockets: number;
  readonly #proxyFor: ((hostname: string) => Promise<URL | undefined>) | undefined;
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
    /** Returns the proxy for a host; undefined to connect to the host itself. */
    proxyFor?: (hostname: string) => Promise<URL | undefined>;
  }) {
    this.#maxSockets = options.maxSockets ?? maxSockets;
    this.#isAllowed = options.isAllowed;
    this.#proxyFor = options.proxyFor;
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

  /** Runs one request with the connections to `origin`. */
  async withHost<Result>(origin: string, use: (host: HostPool) => Promise<Result>): Promise<Result> {
    // Loaded with the first request: a server that sends none saves 5 MB.
    const library = await (this.#library ??= import('undici'));
    const host = this.#hosts.get(origin) ?? this.#openHost(origin, library);
    this.#hosts.delete(origin);
    this.#hosts.set(origin, host);
    host.active += 1;
    try {
      return await use(host);
    } finally {
      host.active -= 1;
    }
  }

  async close(): Promise<void> {
    const hosts = [...this.#hosts.values()];
    this.#hosts.clear();
    await Promise.all(hosts.map((host) => host.destroy()));
  }

  #openHost(origin: string, library: UndiciModule): HostConnections {
    if (this.#hosts.size >= this.#maxSockets) this.#closeIdleHost();
    return new HostConnections(library, origin, (target, callback) =>
      this.#connect(library.buildConnector, target, callback),
    );
  }

  #connect(
    build: UndiciModule['buildConnector'],
    target: buildConnector.Options,
    callback: buildConnector.Callback,
  ): void {
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    // A literal address is connected to without a lookup.
    if (isIP(literal) !== 0 && !this.#isAllowed(literal)) return callback(refusedError(literal), null);
    if (this.#open >= this.#maxSockets) this.#closeIdleHost();
    const sessionKey = `${target.hostname}:${target.port}`;
    const session = this.#tlsSessions.get(sessionKey);
    const secureContext = (this.#secureContext ??= createSecureContext());
    const connect = build({ ...this.#connectorOptions, secureContext, ...(session !== undefined && { session }) });
    const finish: buildConnector.Callback = (...[error, socket]) => {
      // The second argument is missing if there is an error, whatever the types say.
      if (error !== null) return callback(error, null);
      this.#open += 1;
      socket.once('close', () => (this.#open -= 1));
      onTlsSession(socket, (newSession) => this.#tlsSessions.set(sessionKey, newSession));
      callback(null, socket);
    };
    if (this.#proxyFor === undefined) connect(target, finish);
    else void this.#connectByProxy(this.#proxyFor(literal), { connect, target }, finish);
  }

  /** Connects through the proxy for the host, if there is one. Reports errors to the callback. */
  async #connectByProxy(
    proxyOfHost: Promise<URL | undefined>,
    { connect, target }: { readonly connect: buildConnector.connector; readonly target: buildConnector.Options },
    callback: buildConnector.Callback,
  ): Promise<void> {
    try {
      const proxy = await proxyOfHost;
      if (proxy === undefined) return connect(target, callback);
      const { protocol, hostname } = target;
      const port = target.port || (protocol === 'https:' ? '443' : '80');
      const socket = await connectThroughProxy(proxy, { hostname, port }, this.#connectorOptions.timeout ?? 0);
      if (protocol === 'https:') connect({ ...target, httpSocket: socket }, callback);
      else callback(null, socket);
    } catch (error) {
      callback(toError(error), null);
    }
  }

  /** Closes the connections to the least recently used host without requests. */
  #closeIdleHost(): void {
    for (const [origin, host] of this.#hosts) {
      if (host.active > 0) continue;
      this.#hosts.delete(origin);
      // Not awaited: it has no requests, and an idle socket closes at once.
      host.destroy().catch(() => undefined);
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
