import { LRUCache } from 'lru-cache';
import type { RecentEvictions } from './recent-evictions.ts';

type Patch<Value> = (value: Value) => Value;

/** A load in progress, and what happened to its keys since it began. */
export class RunningLoad<Key, Value> {
  readonly #evicted = new Set<Key>();
  readonly #patches = new Map<Key, Patch<Value>[]>();
  #isOutdated = false;

  evict(key: Key): void {
    this.#evicted.add(key);
  }

  evictAll(): void {
    this.#isOutdated = true;
  }

  patch(key: Key, patch: Patch<Value>): void {
    const earlier = this.#patches.get(key);
    if (earlier === undefined) this.#patches.set(key, [patch]);
    else earlier.push(patch);
  }

  /** Returns the loaded value with the patches that arrived during the load. */
  patched(key: Key, value: Value): Value {
    return (this.#patches.get(key) ?? []).reduce((patched, patch) => patch(patched), value);
  }

  /** Whether the loaded value may be cached: the key was not evicted during the load. */
  isCurrent(key: Key): boolean {
    return !this.#isOutdated && !this.#evicted.has(key);
  }
}

export interface CacheBounds<Value> {
  /** Maximum number of entries. */
  readonly maxSize: number;
  readonly ttlMs: number;
  /** Also bounds the sum of the weights of all entries, positive integers, where values differ much in size. */
  readonly weight?: { readonly max: number; readonly of: (value: Value) => number };
}

/** The entries of one cache in one App, with the loads in progress. */
export class CacheEntries<Key extends {}, Value extends {}> {
  readonly #entries: LRUCache<Key, Value>;
  readonly #maxSize: number;
  readonly #ttlMs: number;
  readonly #loads = new Set<RunningLoad<Key, Value>>();
  /** Loads of single keys that later callers may share. */
  readonly #shared = new Map<Key, Promise<Value | undefined>>();
  /** Only where replicas load values. */
  readonly #evictions: RecentEvictions<Key> | undefined;
  #nextPurge = 0;
  /** None. Without it, lru-cache creates an object for each look-up. */
  readonly #getOptions: LRUCache.GetOptions<Key, Value, unknown> = {};
  /** The time of a look-up of many keys, while it lasts. */
  #lookUpTime: number | undefined;

  constructor({ maxSize, ttlMs, weight }: CacheBounds<Value>, evictions?: RecentEvictions<Key>) {
    this.#evictions = evictions;
    this.#maxSize = maxSize;
    this.#ttlMs = ttlMs;
    // With `max`, all arrays would be allocated in full: 40 bytes per possible entry of each cache.
    this.#entries = new LRUCache<Key, Value>({
      ttl: ttlMs,
      // Reading the clock each time costs less than the timer by which the library would remember it for a millisecond.
      ttlResolution: 0,
      perf: { now: () => this.#lookUpTime ?? performance.now() },
      noUpdateTTL: false,
      maxSize: weight?.max ?? maxSize,
      sizeCalculation: weight?.of ?? (() => 1),
    });
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key, this.#getOptions);
  }

  /** Adds the values of cached keys to `found` and returns the other keys. Reads the clock once. */
  getMany(keys: Iterable<Key>, found: Map<Key, Value>): Key[] {
    const missing: Key[] = [];
    this.#lookUpTime = performance.now();
    try {
      for (const key of keys) {
        const value = this.#entries.get(key, this.#getOptions);
        if (value === undefined) missing.push(key);
        else found.set(key, value);
      }
    } finally {
      this.#lookUpTime = undefined;
    }
    return missing;
  }

  /** Returns the moment up to which a replica must be complete to load a key. */
  neededFor(key: Key): number {
    return this.#evictions?.lastOf(key) ?? Infinity;
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value);
    if (this.#entries.size > this.#maxSize) this.#entries.pop();
    this.#purge();
  }

  evict(key: Key): void {
    this.#evictions?.record(key);
    this.#entries.delete(key);
    this.#shared.delete(key);
    for (const load of this.#loads) load.evict(key);
  }

  /** Evicts the entries that match. Results of loads in progress are not cached, because they are unknown. */
  evictWhere(matches: (value: Value, key: Key) => boolean): void {
    this.#evictions?.recordAll();
    for (const [key, value] of this.#entries.entries()) if (matches(value, key)) this.#entries.delete(key);
    this.#shared.clear();
    for (const load of this.#loads) load.evictAll();
  }

  clear(): void {
    this.#evictions?.recordAll();
    this.#entries.clear();
    this.#shared.clear();
    for (const load of this.#loads) load.evictAll();
  }

  /** Changes a cached value, or one that is being loaded. Its expiry stays. */
  patch(key: Key, patch: Patch<Value>): void {
    this.#evictions?.record(key);
    const value = this.#entries.get(key);
    if (value !== undefined) this.#entries.set(key, patch(value), { noUpdateTTL: true });
    for (const load of this.#loads) load.patch(key, patch);
  }

  /** Returns the cached value, or loads it. Callers share a load unless something evicted the key since it began. */
  async load(key: Key, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const shared = this.#shared.get(key);
    if (shared !== undefined) return shared;
    const loading = this.#track(async (running) => {
      const value = await load();
      if (value === undefined) return undefined;
      const patched = running.patched(key, value);
      if (running.isCurrent(key)) this.set(key, patched);
      return patched;
    });
    this.#shared.set(key, loading);
    try {
      return await loading;
    } finally {
      if (this.#shared.get(key) === loading) this.#shared.delete(key);
    }
  }

  /** Loads several keys and caches those that were not evicted during the load. */
  loadMany(load: () => Promise<ReadonlyMap<Key, Value>>): Promise<Map<Key, Value>> {
    return this.#track(async (running) => {
      const loaded = new Map<Key, Value>();
      for (const [key, value] of await load()) {
        const patched = running.patched(key, value);
        if (running.isCurrent(key)) this.set(key, patched);
        loaded.set(key, patched);
      }
      return loaded;
    });
  }

  async #track<Result>(work: (running: RunningLoad<Key, Value>) => Promise<Result>): Promise<Result> {
    const running = new RunningLoad<Key, Value>();
    this.#loads.add(running);
    try {
      return await work(running);
    } finally {
      this.#loads.delete(running);
    }
  }

  /** Releases expired entries once per lifetime, so that a quiet cache does not hold them. */
  #purge(): void {
    const now = performance.now();
    if (now < this.#nextPurge) return;
    this.#nextPurge = now + this.#ttlMs;
    this.#entries.purgeStale();
  }
}
