import type { Lease } from './leases.ts';

/**
 * Limits of the lanes of a process. A lane without progress for `slowAfterMs` moves from the fast lanes to the slow
 * ones. There may be many of these, because they cost only memory and sockets: work that waits for another host holds
 * no database connection.
 */
export interface LaneLimits {
  readonly fastLanes: number;
  readonly slowLanes: number;
  /** Fast lanes reserved for hosts that responded lately; 0 where hosts are not tracked. */
  readonly reservedLanes: number;
  /** Maximum number of rows per claim. */
  readonly batchSize: number;
  /** Rows claimed per free lane. */
  readonly rowsPerLane: number;
  readonly slowAfterMs: number;
  /** How long results wait for others, to be recorded by the same statement. Default: only for those of the same moment. */
  readonly recordAfterMs?: number;
  /** Minimum time between two turns that take rows of this process without a claim. Default: 50 ms. */
  readonly gatherMs?: number;
}

/** Leased rows that are processed in order. */
export interface Task<Outcome> {
  /** No two tasks of a lane run at once. */
  readonly lane: string;
  /** Host that the task depends on. */
  readonly host?: string | undefined;
  /** Rows that it still leases. */
  readonly leases: readonly Lease[];
  /** Processes all rows and returns tasks that are to follow. Reports each outcome at once. */
  run(report: (outcome: Outcome) => void): Promise<readonly Task<Outcome>[]>;
  /** Removes rows that were not started and returns their outcomes, which free these rows. */
  release(): readonly Outcome[];
}

/** A task without progress for `slowAfterMs` times this factor counts as stalled. */
const stalledFactor = 10;

interface LaneEntry<Outcome> {
  readonly task: Task<Outcome>;
  leasedAt: number;
  progressAt: number;
  isSlow: boolean;
  timer?: NodeJS.Timeout;
}

interface LaneListener<Outcome> {
  onOutcomes(outcomes: readonly Outcome[]): void;
  /** A task ended or made progress, or a lane became free. */
  onProgress(): void;
  onError(error: unknown): void;
}

/** The running tasks of a process, and those that wait for a lane. */
export class Lanes<Outcome> {
  readonly #limits: LaneLimits;
  readonly #listener: LaneListener<Outcome>;
  readonly #running = new Map<string, LaneEntry<Outcome>>();
  #waiting: LaneEntry<Outcome>[] = [];
  #slow = 0;

  constructor(budget: LaneLimits, listener: LaneListener<Outcome>) {
    this.#limits = budget;
    this.#listener = listener;
  }

  get size(): number {
    return this.#running.size + this.#waiting.length;
  }

  /** Returns how many more tasks may be claimed. If the slow lanes are full, only responsive hosts are admitted. */
  availableLanes(responsiveHostsOnly: boolean): number {
    const { fastLanes, slowLanes, reservedLanes } = this.#limits;
    const free = fastLanes - (this.#running.size - this.#slow) - this.#waiting.length;
    if (responsiveHostsOnly || reservedLanes === 0) return free;
    return this.#slow >= slowLanes ? 0 : free - reservedLanes;
  }

  laneNames(): string[] {
    return [...this.#running.keys(), ...this.#waiting.map(({ task }) => task.lane)];
  }

  /** Returns the hosts that hold at least a sixteenth of the slow lanes, once half of these are in use. */
  saturatedHosts(): string[] {
    if (this.#slow < this.#limits.slowLanes / 2) return [];
    const share = Math.max(2, this.#limits.slowLanes / 16);
    const slow = [...this.#running.values()].filter(({ isSlow }) => isSlow);
    const byHost = Map.groupBy(slow, ({ task }) => task.host);
    return [...byHost].flatMap(([host, entries]) => (host !== undefined && entries.length >= share ? [host] : []));
  }

  start(tasks: readonly Task<Outcome>[]): void {
    const now = performance.now();
    this.#waiting.push(...tasks.map((task) => ({ task, leasedAt: now, progressAt: now, isSlow: false })));
    this.#startWaiting();
  }

  /** Releases everything that was not started. Running work continues. */
  releaseAll(): void {
    for (const { task } of this.#waiting.splice(0)) this.#listener.onOutcomes(task.release());
    for (const { task } of this.#running.values()) this.#listener.onOutcomes(task.release());
  }

  /** Returns leases that were claimed, or last returned here, more than `ms` ago. */
  leasesOlderThan(ms: number): Lease[] {
    const now = performance.now();
    const old = [...this.#running.values(), ...this.#waiting].filter(({ leasedAt }) => now - leasedAt > ms);
    for (const entry of old) entry.leasedAt = now;
    return old.flatMap(({ task }) => task.leases);
  }

  #startWaiting(): void {
    while (this.#running.size - this.#slow < this.#limits.fastLanes) {
      const next = this.#waiting.findIndex(({ task }) => !this.#running.has(task.lane));
      const [entry] = next === -1 ? [] : this.#waiting.splice(next, 1);
      if (entry === undefined) return;
      this.#run(entry);
    }
  }

  #run(entry: LaneEntry<Outcome>): void {
    const { task } = entry;
    this.#running.set(task.lane, entry);
    entry.progressAt = performance.now();
    this.#scheduleCheck(entry, this.#limits.slowAfterMs);
    const report = (outcome: Outcome): void => {
      entry.progressAt = performance.now();
      this.#listener.onOutcomes([outcome]);
      this.#listener.onProgress();
    };
    task
      .run(report)
      .then((nextTasks) => this.#finish(entry, nextTasks))
      .catch((error: unknown) => {
        this.#listener.onError(error);
        this.#listener.onOutcomes(task.release());
        this.#finish(entry, []);
      });
  }

  #finish(entry: LaneEntry<Outcome>, following: readonly Task<Outcome>[]): void {
    clearTimeout(entry.timer);
    this.#running.delete(entry.task.lane);
    if (entry.isSlow) this.#slow -= 1;
    this.start(following);
    this.#startWaiting();
    this.#listener.onProgress();
  }

  #scheduleCheck(entry: LaneEntry<Outcome>, ms: number): void {
    entry.timer = setTimeout(() => this.#checkProgress(entry), ms);
  }

  /**
   * Moves a task without progress to a slow lane, if there is one, which frees a fast lane. A stalled task releases
   * rows that were not started.
   */
  #checkProgress(entry: LaneEntry<Outcome>): void {
    const { slowAfterMs, slowLanes } = this.#limits;
    const idle = performance.now() - entry.progressAt;
    if (!entry.isSlow && idle >= slowAfterMs && this.#slow < slowLanes) this.#moveToSlow(entry);
    const limit = entry.isSlow ? slowAfterMs * stalledFactor : slowAfterMs;
    if (idle < limit) return this.#scheduleCheck(entry, limit - idle);
    if (idle >= slowAfterMs * stalledFactor) {
      this.#listener.onOutcomes(entry.task.release());
      this.#listener.onProgress();
    }
    if (!entry.isSlow) this.#scheduleCheck(entry, slowAfterMs);
  }

  #moveToSlow(entry: LaneEntry<Outcome>): void {
    entry.isSlow = true;
    this.#slow += 1;
    this.#startWaiting();
    this.#listener.onProgress();
  }
}
