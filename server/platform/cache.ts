/**
 * A bounded map of things that may be dropped at any time. Entries end after `ttl` milliseconds; when it is full the
 * ones used longest ago go first.
 */
export class Cache<Key, Value> {
  readonly #entries = new Map<Key, { value: Value; expires: number }>();
  readonly #size: number;
  readonly #ttl: number;

  constructor({ size, ttl }: { size: number; ttl: number }) {
    this.#size = size;
    this.#ttl = ttl;
  }

  /** How many entries take memory; some of them may have ended. */
  get size(): number {
    return this.#entries.size;
  }

  /** `now`: the time of `performance`, for who asks for many at once. */
  get(key: Key, now: number = performance.now()): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expires < now) {
      this.#entries.delete(key);
      return undefined;
    }
    // While there is room for all, nobody has to know which one was used last.
    if (this.#entries.size > this.#size / 2) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry.value;
  }

  set(key: Key, value: Value): void {
    const now = performance.now();
    this.#entries.delete(key);
    this.#entries.set(key, { value, expires: now + this.#ttl });
    this.#evict(now);
  }

  /** Lets go of the entries at the front that ended, two at a time so that it keeps up with `set`, or are too many. */
  #evict(now: number): void {
    let remaining = 2;
    for (const [key, { expires }] of this.#entries) {
      if (this.#entries.size <= this.#size && (expires >= now || remaining === 0)) return;
      this.#entries.delete(key);
      remaining -= 1;
    }
  }

  /** Puts what `change` makes of a value in its place, if it is kept; it ends when it would have ended. */
  change(key: Key, change: (value: Value) => Value): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.value = change(entry.value);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}

/**
 * A cache that fills itself. Callers who ask for the same key at once share one load; a load that was overtaken by a
 * `delete` gives its value to those who asked but is not kept, so that nobody later sees what is out of date.
 */
export class LoadingCache<Key, Value> {
  readonly #cache: Cache<Key, Value>;
  readonly #loading = new Map<Key, Promise<Value>>();
  readonly #load: (key: Key) => Promise<Value>;

  constructor(options: { size: number; ttl: number; load: (key: Key) => Promise<Value> }) {
    this.#cache = new Cache(options);
    this.#load = options.load;
  }

  /** The cached value if there is one, without loading. */
  peek(key: Key): Value | undefined {
    return this.#cache.get(key);
  }

  async get(key: Key): Promise<Value> {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const running = this.#loading.get(key);
    if (running !== undefined) return running;
    const loading = this.#load(key);
    this.#loading.set(key, loading);
    try {
      const value = await loading;
      if (this.#loading.get(key) === loading) this.#cache.set(key, value);
      return value;
    } finally {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    }
  }

  delete(key: Key): void {
    this.#cache.delete(key);
    this.#loading.delete(key);
  }

  clear(): void {
    this.#cache.clear();
    this.#loading.clear();
  }
}
