/** What bounds the fetches of one process. */
import { toError } from '../../platform/errors.ts';
export interface FetchLimits {
  /** Fetches that run at once from one host; further ones wait. */
  readonly perHost: number;
  /** Fetches that run at once from all hosts. */
  readonly total: number;
  /** Bytes that all running fetches may have received together. */
  readonly bytes: number;
}

/** The reason of a fetch that was aborted here, not by the other host. */
export class FetchAborted extends Error {
  override name = 'FetchAborted';
}

/** One running fetch. */
export interface Slot {
  /** Aborts when no request needs the file any more, or when newer fetches need the room. */
  readonly signal: AbortSignal;
  /** Counts received bytes. */
  received(bytes: number): void;
}

interface RunningFetch {
  readonly abort: AbortController;
  bytes: number;
}

interface HostQueue {
  running: number;
  /** Starts each waiting fetch, first come, first served. */
  readonly queue: Set<() => void>;
}

/**
 * Decides when a fetch from another host may run. A host that is slow or silent uses up its own slots only. Limits that
 * all hosts share never make a fetch wait: when one is exceeded, the oldest fetch is aborted instead.
 */
export class FetchSlots {
  readonly #limits: FetchLimits;
  readonly #hosts = new Map<string, HostQueue>();
  /** Oldest first. */
  readonly #running = new Set<RunningFetch>();
  #bytes = 0;

  constructor(limits: FetchLimits) {
    this.#limits = limits;
  }

  /** Runs `fetch` as soon as its host has a free slot. Rejects if `signal` aborts before that. */
  async run<Result>(host: string, signal: AbortSignal, fetch: (slot: Slot) => Promise<Result>): Promise<Result> {
    await this.#acquire(host, signal);
    const entry: RunningFetch = { abort: new AbortController(), bytes: 0 };
    this.#running.add(entry);
    if (this.#running.size > this.#limits.total) this.#abortOldest(() => true);
    try {
      return await fetch({
        signal: AbortSignal.any([signal, entry.abort.signal]),
        received: (bytes) => this.#count(entry, bytes),
      });
    } finally {
      this.#remove(entry);
      this.#release(host);
    }
  }

  async #acquire(name: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const host: HostQueue = this.#hosts.get(name) ?? { running: 0, queue: new Set() };
    this.#hosts.set(name, host);
    if (host.running < this.#limits.perHost) {
      host.running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        host.queue.delete(start);
        reject(toError(signal.reason));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      host.queue.add(start);
    });
  }

  /** Hands the slot to the next fetch from the same host. */
  #release(name: string): void {
    const host = this.#hosts.get(name);
    if (host === undefined) return;
    const [next] = host.queue;
    if (next !== undefined) {
      host.queue.delete(next);
      return next();
    }
    host.running -= 1;
    if (host.running === 0) this.#hosts.delete(name);
  }

  #count(entry: RunningFetch, bytes: number): void {
    if (!this.#running.has(entry)) return;
    entry.bytes += bytes;
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.bytes) this.#abortOldest((other) => other.bytes > 0);
  }

  #abortOldest(applies: (entry: RunningFetch) => boolean): void {
    const oldest = this.#running.values().find(applies);
    if (oldest === undefined) return;
    this.#remove(oldest);
    oldest.abort.abort(new FetchAborted('newer fetches need the room'));
  }

  #remove(entry: RunningFetch): void {
    if (this.#running.delete(entry)) this.#bytes -= entry.bytes;
  }
}
