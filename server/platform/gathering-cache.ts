import { Cache } from './cache.ts';
import { Gatherer } from './gather.ts';

type Change<Value> = (value: Value) => Value;

/** A load under way, with what happened since it began. */
interface Load<Key, Value> {
  /** What it brings of these is out of date. */
  readonly dropped: Set<Key>;
  /** What it brings of these is to be changed. */
  readonly changes: Map<Key, Change<Value>[]>;
  allDropped: boolean;
}

/**
 * A bounded cache that many things are asked of at once. Those that are missing come in one load for all that is asked
 * for in one turn of the event loop. What a `delete` or a `change` overtook while it was loaded is given to those who
 * asked, but is not kept, so that nobody later sees what is out of date.
 */
export class GatheringCache<Key, Value> {
  readonly #cache: Cache<Key, Value>;
  readonly #missing: Gatherer<Key, Value>;
  readonly #loads = new Set<Load<Key, Value>>();

  /** `load` may leave keys out, which are asked for again the next time, and gives the values in any order. */
  constructor(options: {
    size: number;
    /** Milliseconds that a value is kept for. */
    ttl: number;
    load: (keys: Key[]) => Promise<readonly Value[]>;
    keyOf: (value: Value) => Key;
  }) {
    this.#cache = new Cache(options);
    this.#missing = new Gatherer((keys) => this.#load(keys, options), options.keyOf);
  }

  /** The values of these keys, as far as they exist. */
  async get(keys: Iterable<Key>): Promise<Map<Key, Value>> {
    const found = new Map<Key, Value>();
    const unknown: Key[] = [];
    const now = performance.now();
    for (const key of keys) {
      const value = this.#cache.get(key, now);
      if (value === undefined) unknown.push(key);
      else found.set(key, value);
    }
    if (unknown.length === 0) return found;
    const loaded = await this.#missing.get(unknown);
    for (const key of unknown) {
      const value = loaded.get(key);
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }

  /** Has a value loaded anew when it is next asked for. */
  delete(key: Key): void {
    this.#cache.delete(key);
    for (const { dropped } of this.#loads) dropped.add(key);
  }

  /**
   * Puts what `change` makes of a value in its place, if it is kept or being loaded; for how long it is kept stays as it
   * was. A value that is being loaded may or may not show the reason for the change yet: `change` must tell.
   */
  change(key: Key, change: Change<Value>): void {
    this.#cache.change(key, change);
    for (const { changes } of this.#loads) {
      const earlier = changes.get(key);
      if (earlier === undefined) changes.set(key, [change]);
      else earlier.push(change);
    }
  }

  /** Has everything loaded anew. */
  clear(): void {
    this.#cache.clear();
    for (const load of this.#loads) load.allDropped = true;
  }

  async #load(
    keys: Key[],
    { load, keyOf }: { load: (keys: Key[]) => Promise<readonly Value[]>; keyOf: (value: Value) => Key },
  ): Promise<readonly Value[]> {
    const running: Load<Key, Value> = { dropped: new Set(), changes: new Map(), allDropped: false };
    this.#loads.add(running);
    try {
      const loaded = await load(keys);
      return loaded.map((found) => {
        const key = keyOf(found);
        const value = (running.changes.get(key) ?? []).reduce((changed, change) => change(changed), found);
        if (!running.allDropped && !running.dropped.has(key)) this.#cache.set(key, value);
        return value;
      });
    } finally {
      this.#loads.delete(running);
    }
  }
}
