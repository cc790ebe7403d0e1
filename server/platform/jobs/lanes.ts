import type { Lease } from './leases.ts';

/**
 * How many lanes a process works on at once. A lane that makes no progress for `slowAfterMs` leaves the quick budget for the
 * slow one, which is large because it costs memory and sockets only: whoever waits for another host holds no connection
 * to the database.
 */
export interface LaneLimits {
  readonly fastLanes: number;
  readonly slowLanes: number;
  /** Part of `quick` that is kept for hosts that answered lately; 0 where hosts are not known. */
  readonly reservedLanes: number;
  /** Maximum number of rows of one claim. */
  readonly batchSize: number;
  /** Rows claimed for each free place. */
  readonly rowsPerLane: number;
  readonly slowAfterMs: number;
}

/** Leased rows that are worked on in order. */
export interface Task<Outcome> {
  /** No two tasks of a lane run at once. */
  readonly lane: string;
  /** Host that is likely to be waited for. */
  readonly host?: string | undefined;
  /** Rows that it still holds. */
  readonly leases: readonly Lease[];
  /** Works until nothing is left and returns tasks that are to follow. Reports each outcome as it comes. */
  run(report: (outcome: Outcome) => void): Promise<readonly Task<Outcome>[]>;
  /** Takes what has not begun out of the task and returns its outcomes, which free those rows. */
  release(): readonly Outcome[];
}

/** So many times its patience without progress, and a task is silent rather than slow. */
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
  /** Something ended, or there is room again. */
  onProgress(): void;
  onError(error: unknown): void;
}

/** The tasks that a process works on, and those that it will begin with as soon as there is room. */
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

  /** Returns how many more tasks may be claimed. When the slow budget is used up, only hosts that answer get in. */
  availableLanes(responsiveHostsOnly: boolean): number {
    const { fastLanes, slowLanes, reservedLanes } = this.#limits;
    const free = fastLanes - (this.#running.size - this.#slow) - this.#waiting.length;
    if (responsiveHostsOnly || reservedLanes === 0) return free;
    return this.#slow >= slowLanes ? 0 : free - reservedLanes;
  }

  laneNames(): string[] {
    return [...this.#running.keys(), ...this.#waiting.map(({ task }) => task.lane)];
  }

  /** Returns the hosts that hold a sixteenth of the slow budget or more, once half of it is used. */
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

  /** Takes back everything that has not begun; what runs goes on. */
  releaseAll(): void {
    for (const { task } of this.#waiting.splice(0)) this.#listener.onOutcomes(task.release());
    for (const { task } of this.#running.values()) this.#listener.onOutcomes(task.release());
  }

  /** Returns leases that were claimed or last returned here longer ago than this. */
  leasesOlderThan(ms: number): Lease[] {
    const now = performance.now();
    const old = [...this.#running.values(), ...this.#waiting].filter(({ leasedAt }) => now - leasedAt > ms);
    for (const entry of old) entry.leasedAt = now;
    return old.flatMap(({ task }) => task.leases);
  }

  #startWaiting(): void {
    while (this.#running.size - this.#slow < this.#limits.fastLanes) {
      const entry = this.#waiting.shift();
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
   * Moves a task that makes no progress to the slow budget, if there is room in it, and lets another one begin. One that
   * goes on making none returns what has not begun.
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
