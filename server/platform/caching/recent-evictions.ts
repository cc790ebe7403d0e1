/** When keys of a cache were evicted or patched last, for as long as a replica may lack the cause. */
export class RecentEvictions<Key> {
  /** Oldest first. */
  readonly #moments = new Map<Key, number>();
  readonly #horizonMs: number;
  #allAt = -Infinity;

  /** `horizonMs`: how far a replica may be behind. */
  constructor(horizonMs: number) {
    this.#horizonMs = horizonMs;
  }

  record(key: Key): void {
    const now = performance.now();
    this.#moments.delete(key);
    this.#moments.set(key, now);
    for (const [oldest, moment] of this.#moments) {
      if (now - moment <= this.#horizonMs) break;
      this.#moments.delete(oldest);
    }
  }

  recordAll(): void {
    this.#allAt = performance.now();
    this.#moments.clear();
  }

  /** Returns the moment up to which a replica must be complete to load a key, as `performance.now()` returns it. */
  lastOf(key: Key): number {
    return Math.max(this.#moments.get(key) ?? -Infinity, this.#allAt);
  }
}
