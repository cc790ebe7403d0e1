import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Bus } from './bus.ts';
import type { Clock } from './clock.ts';
import { Batcher } from './batching/batcher.ts';
import { writeThroughPool } from './database/connect.ts';
import { listenerApplicationName } from './database/channel-listener.ts';
import { OpenWindows, findWindow, type RateLimitResult, type RateLimiter } from './rate-window.ts';

export interface PostgresRateLimiterOptions {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Returns how many processes serve this database now. Default: as many as listen for messages. */
  readonly countProcesses?: () => Promise<number>;
}

/** One key in one window, as this process knows it. */
interface WindowCount {
  readonly name: string;
  readonly end: number;
  /** Requests that this process counted. */
  localCount: number;
  /** How many of them the database knows. */
  storedCount: number;
  /** Requests of other processes, when the database was last asked. */
  remoteCount: number;
}

/** Budgets up to this size (passwords, mail, sign-ups, uploads) are always counted exactly. */
const exactBelow = 30;
const storeDelayMs = 200;
/** How long a request waits for the database to count it. */
const storeTimeoutMs = 2_000;
const countProcessesEveryMs = 5_000;
const maxKeys = 100_000;
const batchSize = 1_000;
/** Bus channel: a process has begun to count. */
const joinedChannel = 'rate-limits:joined';

const storeCountsQuery = `
  insert into rate_counts (key, ends_at, count)
  select key, ends_at, count
  from unnest($1::text[], $2::timestamptz[], $3::int[]) as counted(key, ends_at, count)
  order by key, ends_at
  on conflict (key, ends_at) do update set count = rate_counts.count + excluded.count
  returning key, count`;

/**
 * Counts in PostgreSQL for all processes that share it (docs/decisions/0033). A process that is alone counts in memory.
 * Of several, each counts in memory while a key is far from its limit, and stores what it counted a moment later; small
 * budgets, and those of which a good part is used, are counted by the database. Without it each counts for itself.
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
  /** Unknown at first: as if there were others. */
  #processCount = 2;
  #nextProcessCountAt = 0;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: PostgresRateLimiterOptions) {
    this.#options = parts;
  }

  take(key: string, limit: number, seconds: number): RateLimitResult | Promise<RateLimitResult> {
    this.#updateProcessCount();
    const now = this.#options.clock.now();
    const { reset } = findWindow(now, seconds);
    const end = reset.getTime();
    const name = `${seconds}:${key}`;
    const count = this.#windows.getOrCreate(name, now.getTime(), {
      end,
      create: () => ({ name, end, localCount: 0, storedCount: 0, remoteCount: 0 }),
    });
    count.localCount += 1;
    const localCount = count.localCount;
    const result = (): RateLimitResult => ({ limit, remaining: limit - localCount - count.remoteCount, reset });
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

  /** Tells the others that this process counts, once, and finds out from time to time how many there are. */
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
      // As many as before: a database that is away does not end other processes.
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

  /** Like `#storeNow`, but a database that is silent holds nobody up: then each process counts for itself. */
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
    const { rows } = await writeThroughPool<{ key: string; count: number }>(this.#options.pool, storeCountsQuery, [
      batch.map(({ key }) => key),
      batch.map(({ count }) => new Date(count.end)),
      batch.map(({ count, own }) => own - count.storedCount),
    ]);
    const totals = new Map(rows.map((row) => [row.key, row.count]));
    for (const { count, key, own } of batch) {
      count.storedCount = own;
      count.remoteCount = Math.max((totals.get(key) ?? own) - own, 0);
    }
  }
}

/** Names carry addresses and e-mail addresses, which need not be stored. */
const storageKey = ({ name, end }: WindowCount): string =>
  createHash('sha256').update(`${name} ${end}`).digest('base64url');
