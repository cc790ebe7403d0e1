import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../clock.ts';
import { Batcher } from '../batching/batcher.ts';
import { runAlone } from '../wire/pool.ts';
import { listenerApplicationName } from '../database/channel-listener.ts';
import { OpenWindows, windowEnd, type RateLimitResult, type RateLimiter } from './rate-window.ts';

export interface PostgresRateLimiterOptions {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Returns how many processes use this database. Default: those that listen for messages. */
  readonly countProcesses?: () => Promise<number>;
}

/** The count of one key in one window. */
interface WindowCount {
  readonly name: string;
  readonly end: number;
  /** Requests counted by this process. */
  localCount: number;
  /** The part of `localCount` that is stored. */
  storedCount: number;
  /** Requests of other processes, as of the last store. */
  remoteCount: number;
}

/** Limits up to this size (passwords, mail, sign-ups, uploads) are always counted exactly. */
const exactBelow = 30;
const storeDelayMs = 200;
/** Maximum time that a request waits for the database. */
const storeTimeoutMs = 2_000;
const countProcessesEveryMs = 5_000;
const maxKeys = 100_000;
const batchSize = 1_000;
/** Announces that a process has started to count. */
const joinedChannel = 'rate-limits:joined';

const storeCountsQuery = `
  insert into rate_counts (key, ends_at, count)
  select key, ends_at, count
  from unnest($1::text[], $2::timestamptz[], $3::int[]) as counted(key, ends_at, count)
  order by key, ends_at
  on conflict (key, ends_at) do update set count = rate_counts.count + excluded.count
  returning key, count`;

/**
 * Counts in PostgreSQL for all processes that share it (docs/decisions/0033). A single process counts in memory. Of
 * several, each counts in memory while a key is far from its limit, and stores its counts a moment later; small limits,
 * and those of which much is used, are counted by the database. If the database is down, each process counts for
 * itself.
 */
export class PostgresRateLimiter implements RateLimiter {
  readonly #options: PostgresRateLimiterOptions;
  readonly #windows = new OpenWindows<WindowCount>(maxKeys);
  readonly #changed = new Set<WindowCount>();
  readonly #stores = new Batcher<void, void>({
    maxBatchSize: Infinity,
    isSequential: true,
    run: async (callers) => {
      await this.#store();
      for (const { resolve } of callers) resolve();
    },
  });
  #lastStore: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Unknown at first, so more than one is assumed. */
  #processCount = 2;
  #nextProcessCountAt = 0;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: PostgresRateLimiterOptions) {
    this.#options = parts;
  }

  take(key: string, limit: number, seconds: number): RateLimitResult | Promise<RateLimitResult> {
    this.#updateProcessCount();
    const now = this.#options.clock.now().getTime();
    const end = windowEnd(now, seconds);
    const name = `${seconds}:${key}`;
    const count = this.#windows.getOrCreate(name, now, {
      end,
      create: () => ({ name, end, localCount: 0, storedCount: 0, remoteCount: 0 }),
    });
    count.localCount += 1;
    const localCount = count.localCount;
    const result = (): RateLimitResult => ({ limit, remaining: limit - localCount - count.remoteCount, resetAt: end });
    if (this.#processCount === 1) return result();
    this.#changed.add(count);
    const isExact = limit <= exactBelow || localCount + count.remoteCount > limit / (2 * this.#processCount);
    if (isExact) return this.#storeWithTimeout().then(result);
    this.#timer ??= setTimeout(() => void this.#storeNow(), storeDelayMs);
    return result();
  }

  async close(): Promise<void> {
    this.#unsubscribe?.();
    clearTimeout(this.#timer);
    await this.#lastStore;
    this.#windows.clear();
    this.#changed.clear();
  }

  /** Announces this process once, and refreshes the number of processes now and then. */
  #updateProcessCount(): void {
    const { bus } = this.#options;
    if (this.#unsubscribe === undefined) {
      this.#unsubscribe = bus.subscribe(joinedChannel, () => this.#setProcessCount(2));
      bus.publish(joinedChannel, null);
    }
    const now = performance.now();
    if (now < this.#nextProcessCountAt) return;
    this.#nextProcessCountAt = now + countProcessesEveryMs;
    this.#countProcesses().then(
      (processes) => this.#setProcessCount(Math.max(processes, 1)),
      // Unchanged: other processes run on while the database is down.
      () => {},
    );
  }

  async #countProcesses(): Promise<number> {
    const { pool, countProcesses } = this.#options;
    if (countProcesses !== undefined) return countProcesses();
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = $1`,
      [listenerApplicationName],
    );
    return rows[0]?.count ?? 1;
  }

  #setProcessCount(processes: number): void {
    const wasAlone = this.#processCount === 1;
    this.#processCount = processes;
    if (!wasAlone || processes === 1) return;
    for (const count of this.#windows.values()) if (count.localCount > count.storedCount) this.#changed.add(count);
    void this.#storeNow();
  }

  /** As `#storeNow`, with a timeout: if the database is silent, each process counts for itself. */
  async #storeWithTimeout(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, storeTimeoutMs);
    await Promise.race([this.#storeNow(), late.promise]);
    clearTimeout(timer);
  }

  /** Resolves when all counts so far are stored and those of other processes are loaded. Never rejects. */
  #storeNow(): Promise<void> {
    this.#lastStore = this.#stores.add();
    return this.#lastStore;
  }

  async #store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const all = [...this.#changed];
    this.#changed.clear();
    try {
      for (let at = 0; at < all.length; at += batchSize) await this.#storeBatch(all.slice(at, at + batchSize));
    } catch {
      // Each process counts for itself until the database is back.
      for (const count of all) this.#changed.add(count);
    }
  }

  async #storeBatch(counts: readonly WindowCount[]): Promise<void> {
    const batch = counts.map((count) => ({ count, key: storageKey(count), own: count.localCount }));
    const { rows } = await runAlone<{ key: string; count: number }>(this.#options.pool, 'begin read write', {
      text: storeCountsQuery,
      values: [
        batch.map(({ key }) => key),
        batch.map(({ count }) => new Date(count.end)),
        batch.map(({ count, own }) => own - count.storedCount),
      ],
    });
    const totals = new Map(rows.map((row) => [row.key, row.count]));
    for (const { count, key, own } of batch) {
      count.storedCount = own;
      count.remoteCount = Math.max((totals.get(key) ?? own) - own, 0);
    }
  }
}

/** Hashed, because names contain IP and e-mail addresses. */
const storageKey = ({ name, end }: WindowCount): string =>
  createHash('sha256').update(`${name} ${end}`).digest('base64url');
