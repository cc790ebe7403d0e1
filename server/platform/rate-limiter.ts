import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { windowAt, type Budget, type RateLimiter } from './rate-window.ts';
import { connectValkey } from './valkey.ts';
import { ValkeyRateLimiter } from './valkey-rate-limiter.ts';

export type { Budget, RateLimiter } from './rate-window.ts';

/** Counts in Valkey when VALKEY_URL is set, so that all processes share the budgets; else in this process. */
export function createRateLimiter(config: Config, clock: Clock): RateLimiter {
  const memory = new MemoryRateLimiter(clock);
  if (config.VALKEY_URL === undefined) return memory;
  // Requests must not wait for a Valkey that is away.
  const valkey = connectValkey(config.VALKEY_URL, { prefix: `fieldfare:${config.domain}:`, patient: false });
  return new ValkeyRateLimiter(valkey, clock, memory);
}

const sweepAfter = 60_000;

/** Counts within one process, for at most `size` keys at a time; past that the oldest windows are forgotten. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #counts = new Map<string, { count: number; end: number }>();
  readonly #clock: Clock;
  readonly #size: number;
  #nextSweep = 0;

  constructor(clock: Clock, size = 100_000) {
    this.#clock = clock;
    this.#size = size;
  }

  take(key: string, limit: number, seconds: number): Budget {
    const now = this.#clock.now();
    const { reset } = windowAt(now, seconds);
    this.#sweep(now.getTime());
    const name = `${seconds}:${key}`;
    let entry = this.#counts.get(name);
    if (entry === undefined || entry.end !== reset.getTime()) {
      this.#counts.delete(name);
      entry = { count: 0, end: reset.getTime() };
      this.#makeRoom();
      this.#counts.set(name, entry);
    }
    entry.count += 1;
    return { limit, remaining: limit - entry.count, reset };
  }

  /** Number of keys that are counted now. */
  get size(): number {
    return this.#counts.size;
  }

  async close(): Promise<void> {
    this.#counts.clear();
  }

  #makeRoom(): void {
    if (this.#counts.size < this.#size) return;
    const oldest = this.#counts.keys().next();
    if (oldest.done !== true) this.#counts.delete(oldest.value);
  }

  #sweep(now: number): void {
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + sweepAfter;
    for (const [name, { end }] of this.#counts) if (end <= now) this.#counts.delete(name);
  }
}
