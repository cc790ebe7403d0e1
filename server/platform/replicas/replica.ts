import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { toError } from '../errors.ts';
import { DatabaseUnavailable } from '../wire/database-unavailable.ts';
import { destroyConnections, openPool, poolTimeouts, type Connection } from '../wire/pool.ts';

/** The position of the primary in its log at a moment of this process, as `performance.now()` returns it. */
export interface Sample {
  readonly moment: number;
  readonly position: bigint;
}

export interface ReplicaOptions {
  readonly connection: Connection;
  readonly poolSize: number;
  /** Whether a pooler is in between (see `openPool`). */
  readonly isPooled: boolean;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Reads the position of the primary. */
  readonly samplePrimary: () => Promise<Sample>;
  /** A replica that is further behind is not used. */
  readonly maxLagMs: number;
}

/** Interval of looks at a replica that has caught up, and delay after one that failed. */
const maxIntervalMs = 1_000;
/** Between two looks. */
const minIntervalMs = 5;
/** For the replica, and for the primary, to answer a look. */
const answerMs = 2_000;
/** How long a replica is left out after it failed. */
const leaveOutMs = 5_000;
/** Positions that the replica has not passed. More are not noted: it is far behind. */
const maxSamples = 100;

/** A streaming replica, and up to which moment it is known to be complete. */
export class Replica {
  /** Host and port. */
  readonly name: string;
  readonly pool: pg.Pool;
  readonly #options: ReplicaOptions;
  readonly #closed = new AbortController();
  /** Everything that was committed before is on the replica. */
  #completeUntil = -Infinity;
  #leftOutUntil = -Infinity;
  /** What the replica has not passed yet, oldest first. */
  #samples: Sample[] = [];
  #lagMs: number | undefined;
  #position = 0n;
  #sampledAt = -Infinity;
  #isWanted = false;
  #wake: () => void = () => {};
  #problem: string | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ReplicaOptions) {
    this.#options = options;
    const { host, port } = new pg.Client({ ...options.connection });
    this.name = `${host}:${port}`;
    const timeouts = { ...poolTimeouts, connectMs: answerMs };
    const assertUsable = (): void => this.#assertUsable();
    this.pool = openPool(options.connection, options.poolSize, { timeouts, isPooled: options.isPooled, assertUsable });
  }

  /** Starts to look at the replica. */
  start(): void {
    this.#running = this.#watch();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#wake();
    await this.#running;
    await this.pool.end();
  }

  /** Whether the replica has everything that was committed before this moment, and may be used. */
  has(moment: number): boolean {
    const now = performance.now();
    return (
      this.#completeUntil >= moment &&
      now >= this.#leftOutUntil &&
      this.#completeUntil >= now - this.#options.maxLagMs - maxIntervalMs
    );
  }

  /** How far it was behind at the last look, in milliseconds; undefined while it does not answer. */
  get lagMs(): number | undefined {
    return this.#lagMs;
  }

  /** Why the replica cannot be used; undefined if it answers. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Looks at the replica again at once, because a read needs more than it is known to have. */
  lookSoon(): void {
    if (this.#isWanted || performance.now() - this.#sampledAt < minIntervalMs) return;
    this.#isWanted = true;
    this.#wake();
  }

  /** Leaves the replica out for some seconds, after a statement failed that the primary answered. */
  leaveOut(error: unknown): void {
    this.#leftOutUntil = performance.now() + leaveOutMs;
    // It may have restarted, with less than it had.
    this.#completeUntil = -Infinity;
    this.#samples = [];
    this.#report(toError(error).message);
  }

  #assertUsable(): void {
    if (this.#completeUntil === -Infinity) throw new DatabaseUnavailable(new Error(`${this.name} is left out`));
  }

  async #watch(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const client = this.#open();
      try {
        await client.connect();
        while (!signal.aborted) {
          await this.#look(client);
          await this.#sleep();
        }
      } catch (error) {
        if (signal.aborted) break;
        this.leaveOut(error);
        this.#lagMs = undefined;
        // Statements in progress run on the primary instead of waiting for an answer.
        destroyConnections(this.pool);
        await pause(maxIntervalMs, undefined, { signal }).catch(() => {});
      } finally {
        client.connection.stream.destroy();
      }
    }
  }

  /** Returns how far the replica is behind, in milliseconds, after up to a second. For a replica that was not started. */
  async measureLag(): Promise<number> {
    const client = this.#open();
    try {
      await client.connect();
      const start = performance.now();
      for (;;) {
        await this.#look(client);
        const { lagMs = 0 } = this;
        if (lagMs === 0) return 0;
        if (performance.now() - start > maxIntervalMs) return Math.max(lagMs, await readTransactionLag(client));
        await this.#sleep();
      }
    } finally {
      client.connection.stream.destroy();
    }
  }

  /**
   * Compares the replica with the primary. Throws if the replica does not answer, is no replica, or has what the primary
   * does not have.
   */
  async #look(client: pg.Client): Promise<void> {
    if (this.#position === 0n) this.#position = await readPosition(client);
    await this.#sample();
    const position = await readPosition(client);
    if (position < this.#position) this.leaveOut(new Error('it has restarted with less than it had'));
    this.#position = position;
    const now = performance.now();
    while (this.#samples[0] !== undefined && this.#samples[0].position <= position) {
      this.#completeUntil = this.#samples[0].moment;
      this.#samples.shift();
    }
    this.#lagMs = this.#samples[0] === undefined ? 0 : now - this.#samples[0].moment;
    if (now >= this.#leftOutUntil)
      this.#report(this.#lagMs > this.#options.maxLagMs ? 'it is too far behind' : undefined);
  }

  /** Notes the position of the primary, once per interval or if a read needs it. */
  async #sample(): Promise<void> {
    const now = performance.now();
    if (!this.#isWanted && now - this.#sampledAt < maxIntervalMs) return;
    this.#isWanted = false;
    this.#sampledAt = now;
    if (this.#samples.length >= maxSamples) return;
    const sample = await this.#options.samplePrimary().catch(() => undefined);
    if (sample === undefined) return;
    // Another replica was promoted, which had received less.
    if (sample.position < this.#position)
      throw new Error('it is ahead of the primary, and so has another history. Build it again from the primary');
    this.#samples.push(sample);
  }

  /** Waits for the next look: soon if the replica is slightly behind, later if it has caught up or is far behind. */
  async #sleep(): Promise<void> {
    if (this.#isWanted) return;
    const lagMs = this.#lagMs ?? 0;
    const delayMs = lagMs === 0 ? maxIntervalMs : Math.min(Math.max(lagMs / 4, minIntervalMs), maxIntervalMs);
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, delayMs).unref();
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    this.#wake = () => {};
  }

  #open(): pg.Client {
    const client = new pg.Client({
      ...this.#options.connection,
      application_name: 'fieldfare replica',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      keepAlive: true,
    });
    client.on('error', () => {});
    // A connection that breaks while nobody waits for an answer.
    client.once('end', () => this.#wake());
    return client;
  }

  #report(problem: string | undefined): void {
    if (this.#problem === problem) return;
    const { log } = this.#options;
    if (problem !== undefined && this.#problem === undefined)
      log.warn({ replica: this.name, reason: problem }, 'a replica is not used');
    if (problem === undefined) log.info({ replica: this.name }, 'a replica is used again');
    this.#problem = problem;
  }
}

/** Returns up to which position a replica has replayed the log. Throws if it is no replica. */
async function readPosition(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query<{ position: string; replays: boolean }>(
    `select (coalesce(pg_last_wal_replay_lsn(), '0/0') - '0/0'::pg_lsn)::text as position,
      pg_is_in_recovery() as replays`,
  );
  const { position = '0', replays = false } = rows[0] ?? {};
  if (!replays) throw new Error('it is not a replica: it does not replay the log of a primary');
  return BigInt(position);
}

/** Returns the age of the last transaction that the replica replayed, in milliseconds, by the clocks of both machines. */
async function readTransactionLag(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ ms: number | null }>(
    'select extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 * 1000 as ms',
  );
  return rows[0]?.ms ?? 0;
}
