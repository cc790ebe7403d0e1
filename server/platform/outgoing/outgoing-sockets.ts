import { isIP, type LookupFunction } from 'node:net';
import type * as undici from 'undici';
import type { buildConnector, Pool } from 'undici';
import { OutgoingError } from './outgoing-error.ts';
import type { Resolve } from './resolve-host.ts';

/** Maximum number of connections to one host. */
export const connectionsPerHost = 4;
const maxSockets = 4_000;
const keepAliveMs = 75_000;
const maxKeepAliveMs = 600_000;
/** Maximum size of all response headers, in bytes. */
const maxHeaderBytes = 16_384;

/** The parts of undici that are used. */
interface UndiciModule {
  readonly Pool: typeof undici.Pool;
  readonly connect: buildConnector.connector;
}

interface HostPool {
  readonly pool: Pool;
  /** Number of requests in flight. */
  active: number;
}

/**
 * Connections to other hosts: a few kept-alive ones per host, limited in number, each to an address that `allowed`
 * accepts. The check applies to the address that is connected to, so a name that later resolves differently gains
 * nothing.
 */
export class OutgoingSockets {
  /** By origin, least recently used first. */
  readonly #pools = new Map<string, HostPool>();
  readonly #connectorOptions: buildConnector.BuildOptions;
  readonly #isAllowed: (address: string) => boolean;
  readonly #maxSockets: number;
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
      maxCachedSessions: 2_000,
      autoSelectFamily: true,
    };
  }

  /** Number of open connections. */
  get openCount(): number {
    return this.#open;
  }

  /** Runs one request with the pool of `origin`. */
  async withPool<Result>(origin: string, use: (pool: Pool) => Promise<Result>): Promise<Result> {
    // Loaded with the first request: a server that sends none saves 5 MB.
    const library = await (this.#library ??= this.#load());
    const host = this.#pools.get(origin) ?? { pool: this.#createPool(origin, library), active: 0 };
    this.#pools.delete(origin);
    this.#pools.set(origin, host);
    host.active += 1;
    try {
      return await use(host.pool);
    } finally {
      host.active -= 1;
    }
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  async #load(): Promise<UndiciModule> {
    const { buildConnector, Pool } = await import('undici');
    return { Pool, connect: this.#checkedConnector(buildConnector(this.#connectorOptions)) };
  }

  #checkedConnector(connect: buildConnector.connector): buildConnector.connector {
    return (target, callback) => {
      const literal = target.hostname.replace(/^\[|\]$/g, '');
      // A literal address is connected to without a lookup.
      if (isIP(literal) !== 0 && !this.#isAllowed(literal)) return callback(refusedError(literal), null);
      if (this.#open >= this.#maxSockets) this.#closeIdlePool();
      connect(target, (...[error, socket]) => {
        // The second argument is missing if there is an error, whatever the types say.
        if (error !== null) return callback(error, null);
        this.#open += 1;
        socket.once('close', () => (this.#open -= 1));
        callback(null, socket);
      });
    };
  }

  #createPool(origin: string, { Pool, connect }: UndiciModule): Pool {
    if (this.#pools.size >= this.#maxSockets) this.#closeIdlePool();
    return new Pool(origin, {
      connect,
      connections: connectionsPerHost,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: maxKeepAliveMs,
      maxHeaderSize: maxHeaderBytes,
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
