/** The state of a limit after a request was counted. */
export interface RateLimitResult {
  readonly limit: number;
  /** At most 0 if the limit is used up; the request is refused if it is negative. */
  readonly remaining: number;
  /** End of the window, in milliseconds since the epoch. */
  readonly resetAt: number;
}

/** Counts requests in fixed windows. */
export interface RateLimiter {
  /** Counts one request of `key` against `limit` requests in `seconds`. */
  take(key: string, limit: number, seconds: number): Promise<RateLimitResult> | RateLimitResult;
  close(): Promise<void>;
}

/** Returns the number of the window of `seconds` that contains `now`. Windows are aligned to the epoch. */
export const windowIndex = (now: number, seconds: number): number => Math.floor(now / 1000 / seconds);

/** Returns when the window of `seconds` that contains `now` ends. */
export const windowEnd = (now: number, seconds: number): number => (windowIndex(now, seconds) + 1) * seconds * 1000;

const expiryIntervalMs = 60_000;

/** Counts of open windows, for at most `size` keys; beyond that the oldest are evicted. */
export class OpenWindows<Count extends { readonly end: number }> {
  readonly #counts = new Map<string, Count>();
  readonly #size: number;
  #nextExpiryAt = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Returns the count of `name` in the window that ends at `end`; `create` makes the first one. */
  getOrCreate(name: string, now: number, { end, create }: { end: number; create: () => Count }): Count {
    this.#expire(now);
    const found = this.#counts.get(name);
    if (found?.end === end) return found;
    this.#counts.delete(name);
    this.#evictOldest();
    const count = create();
    this.#counts.set(name, count);
    return count;
  }

  values(): Iterable<Count> {
    return this.#counts.values();
  }

  clear(): void {
    this.#counts.clear();
  }

  #evictOldest(): void {
    if (this.#counts.size < this.#size) return;
    const oldest = this.#counts.keys().next();
    if (oldest.done !== true) this.#counts.delete(oldest.value);
  }

  #expire(now: number): void {
    if (now < this.#nextExpiryAt) return;
    this.#nextExpiryAt = now + expiryIntervalMs;
    for (const [name, { end }] of this.#counts) if (end <= now) this.#counts.delete(name);
  }
}
