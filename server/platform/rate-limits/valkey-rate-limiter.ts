import type { Clock } from '../clock.ts';
import { windowEnd, windowIndex, type RateLimitResult, type RateLimiter } from './rate-window.ts';

/** The methods of a Valkey connection that the limiter uses. */
export interface ScriptRunner {
  eval(script: string, keys: number, ...values: (string | number)[]): Promise<unknown>;
  disconnect(): void;
}

/** Counts and sets the expiry in one step, so that a crash in between leaves no key without expiry. */
const countScript = `local count = redis.call('incr', KEYS[1])
if count == 1 then redis.call('expire', KEYS[1], ARGV[1]) end
return count`;

/** Time after a failure during which Valkey is not asked, so that requests do not wait for it one after the other. */
const retryDelayMs = 5_000;

/** Counts in Valkey for all processes. While it is down each process counts with `fallback`. */
export class ValkeyRateLimiter implements RateLimiter {
  readonly #valkey: ScriptRunner;
  readonly #clock: Clock;
  readonly #fallback: RateLimiter;
  #retryAt = 0;

  constructor(valkey: ScriptRunner, clock: Clock, fallback: RateLimiter) {
    this.#valkey = valkey;
    this.#clock = clock;
    this.#fallback = fallback;
  }

  async take(key: string, limit: number, seconds: number): Promise<RateLimitResult> {
    const now = this.#clock.now().getTime();
    if (now < this.#retryAt) return this.#fallback.take(key, limit, seconds);
    // One request asks again. It may wait, and others do not.
    if (this.#retryAt > 0) this.#retryAt = now + retryDelayMs;
    const index = windowIndex(now, seconds);
    try {
      // Longer than the window, because clocks of machines differ.
      const count = Number(await this.#valkey.eval(countScript, 1, `rate:${seconds}:${index}:${key}`, seconds + 60));
      this.#retryAt = 0;
      return { limit, remaining: limit - count, resetAt: windowEnd(now, seconds) };
    } catch {
      this.#retryAt = this.#clock.now().getTime() + retryDelayMs;
      return this.#fallback.take(key, limit, seconds);
    }
  }

  async close(): Promise<void> {
    this.#valkey.disconnect();
    await this.#fallback.close();
  }
}
