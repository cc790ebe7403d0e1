import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type pg from 'pg';
import { PostgresRateLimiter } from './postgres-rate-limiter.ts';
import { OpenWindows, windowEnd, type RateLimitResult, type RateLimiter } from './rate-window.ts';
import { connectValkey } from '../valkey.ts';
import { ValkeyRateLimiter } from './valkey-rate-limiter.ts';

export type { RateLimitResult, RateLimiter } from './rate-window.ts';

export interface RateLimiterOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly pool: pg.Pool;
  readonly bus: Bus;
}

/**
 * Creates the rate limiter that all processes share: in Valkey if VALKEY_URL is set, otherwise in PostgreSQL. The
 * embedded database serves only one process, which counts in memory.
 */
export function createRateLimiter({ config, clock, pool, bus }: RateLimiterOptions): RateLimiter {
  if (config.VALKEY_URL !== undefined) {
    // Requests must not wait for a Valkey that is down.
    const valkey = connectValkey(config.VALKEY_URL, { prefix: `fieldfare:${config.domain}:`, queueOffline: false });
    return new ValkeyRateLimiter(valkey, clock, new MemoryRateLimiter(clock));
  }
  if (config.DATABASE_URL !== undefined) return new PostgresRateLimiter({ pool, bus, clock });
  return new MemoryRateLimiter(clock);
}

interface MemoryCount {
  readonly end: number;
  count: number;
}

/** Counts in one process, for at most `size` keys; beyond that the oldest windows are evicted. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #windows: OpenWindows<MemoryCount>;
  readonly #clock: Clock;

  constructor(clock: Clock, size = 100_000) {
    this.#clock = clock;
    this.#windows = new OpenWindows(size);
  }

  take(key: string, limit: number, seconds: number): RateLimitResult {
    const now = this.#clock.now().getTime();
    const end = windowEnd(now, seconds);
    const entry = this.#windows.getOrCreate(`${seconds}:${key}`, now, {
      end,
      create: () => ({ end, count: 0 }),
    });
    entry.count += 1;
    return { limit, remaining: limit - entry.count, resetAt: end };
  }

  get size(): number {
    return this.#windows.size;
  }

  async close(): Promise<void> {
    this.#windows.clear();
  }
}
