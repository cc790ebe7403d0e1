import { isIP, type LookupFunction } from 'node:net';
import type * as undici from 'undici';
import type { buildConnector, Pool } from 'undici';
import { OutgoingError } from './outgoing-error.ts';
import type { Resolve } from './resolve-host.ts';

/** Connections that are kept to one host at most. */
export const connectionsPerHost = 4;
const maxSockets = 4_000;
const keepAliveMs = 75_000;
const maxKeepAliveMs = 600_000;
/** In bytes, for all header lines of an answer. */
const maxHeaderBytes = 16_384;

/** What is needed of undici. */
interface UndiciModule {
  readonly Pool: typeof undici.Pool;
  readonly connect: buildConnector.connector;
}

interface HostPool {
  readonly pool: Pool;
  /** Requests that use it now. */
  active: number;
}

/**
 * Connections to other hosts: a few kept-alive ones per host, a bounded number of all, each to an address that
 * `allowed` lets pass. The check is made on what is connected to, so a name that resolves differently the second time
 * gains nothing.
 */
export class OutgoingSockets {
  /** By origin, the one used longest ago first. */
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
    /** Connections at a time, as long as those beyond are idle. */
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

  /** Lends the pool of `origin` to `use` for one request. */
  async withPool<Result>(origin: string, use: (pool: Pool) => Promise<Result>): Promise<Result> {
    // Loaded with the first request: a server that speaks to nobody saves 5 MB.
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
      // A literal address is connected to without any lookup.
      if (isIP(literal) !== 0 && !this.#isAllowed(literal)) return callback(refusedError(literal), null);
      if (this.#open >= this.#maxSockets) this.#closeIdlePool();
      connect(target, (...[error, socket]) => {
        // The second argument is missing when there is an error, whatever the types say.
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

  /** Closes the pool that nobody has used for the longest time. */
  #closeIdlePool(): void {
    for (const [origin, { pool, active }] of this.#pools) {
      if (active > 0) continue;
      this.#pools.delete(origin);
      // Nobody waits for it: it has no requests, and an idle socket closes without an answer.
      pool.destroy().catch(() => undefined);
      return;
    }
  }
}

/** A lookup for sockets that refuses a name when any of its addresses is not allowed. */
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
  return new OutgoingError('refused', `${what} is not an address of the public internet`);
}
