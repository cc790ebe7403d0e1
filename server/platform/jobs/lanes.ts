import type { Lease } from './leases.ts';

/**
 * How many lanes a process works on at once. A lane that makes no progress for `patienceMs` leaves the quick budget for the
 * slow one, which is large because it costs memory and sockets only: whoever waits for another host holds no connection
 * to the database.
 */
export interface Budget {
  readonly quick: number;
  readonly slow: number;
  /** Part of `quick` that is kept for hosts that answered lately; 0 where hosts are not known. */
  readonly reserved: number;
  /** Maximum number of rows of one claim. */
  readonly batch: number;
  /** Rows claimed for each free place. */
  readonly rowsPerLane: number;
  readonly patienceMs: number;
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
  handBack(): readonly Outcome[];
}

/** So many times its patience without progress, and a task is silent rather than slow. */
const silentAfter = 10;

interface Entry<Outcome> {
  readonly task: Task<Outcome>;
  leasedAt: number;
  progressAt: number;
  isSlow: boolean;
  timer?: NodeJS.Timeout;
}

interface Listener<Outcome> {
  report(outcomes: readonly Outcome[]): void;
  /** Something ended, or there is room again. */
  advance(): void;
  fail(error: unknown): void;
}

/** The tasks that a process works on, and those that it will begin with as soon as there is room. */
export class Lanes<Outcome> {
  readonly #budget: Budget;
  readonly #listener: Listener<Outcome>;
  readonly #running = new Map<string, Entry<Outcome>>();
  #waiting: Entry<Outcome>[] = [];
  #slow = 0;

  constructor(budget: Budget, listener: Listener<Outcome>) {
    this.#budget = budget;
    this.#listener = listener;
  }

  get size(): number {
    return this.#running.size + this.#waiting.length;
  }

  /** Returns how many more tasks may be claimed. When the slow budget is used up, only hosts that answer get in. */
  room(provenOnly: boolean): number {
    const { quick, slow, reserved } = this.#budget;
    const free = quick - (this.#running.size - this.#slow) - this.#waiting.length;
    if (provenOnly || reserved === 0) return free;
    return this.#slow >= slow ? 0 : free - reserved;
  }

  names(): string[] {
    return [...this.#running.keys(), ...this.#waiting.map(({ task }) => task.lane)];
  }

  /** Returns the hosts that hold a sixteenth of the slow budget or more, once half of it is used. */
  fullHosts(): string[] {
    if (this.#slow < this.#budget.slow / 2) return [];
    const share = Math.max(2, this.#budget.slow / 16);
    const slow = [...this.#running.values()].filter(({ isSlow }) => isSlow);
    const byHost = Map.groupBy(slow, ({ task }) => task.host);
    return [...byHost].flatMap(([host, entries]) => (host !== undefined && entries.length >= share ? [host] : []));
  }

  start(tasks: readonly Task<Outcome>[]): void {
    const now = performance.now();
    this.#waiting.push(...tasks.map((task) => ({ task, leasedAt: now, progressAt: now, isSlow: false })));
    this.#fill();
  }

  /** Takes back everything that has not begun; what runs goes on. */
  handBackAll(): void {
    for (const { task } of this.#waiting.splice(0)) this.#listener.report(task.handBack());
    for (const { task } of this.#running.values()) this.#listener.report(task.handBack());
  }

  /** Returns leases that were claimed or last returned here longer ago than this. */
  leasesOlderThan(ms: number): Lease[] {
    const now = performance.now();
    const old = [...this.#running.values(), ...this.#waiting].filter(({ leasedAt }) => now - leasedAt > ms);
    for (const entry of old) entry.leasedAt = now;
    return old.flatMap(({ task }) => task.leases);
  }

  #fill(): void {
    while (this.#running.size - this.#slow < this.#budget.quick) {
      const entry = this.#waiting.shift();
      if (entry === undefined) return;
      this.#run(entry);
    }
  }

  #run(entry: Entry<Outcome>): void {
    const { task } = entry;
    this.#running.set(task.lane, entry);
    entry.progressAt = performance.now();
    this.#watch(entry, this.#budget.patienceMs);
    const report = (outcome: Outcome): void => {
      entry.progressAt = performance.now();
      this.#listener.report([outcome]);
      this.#listener.advance();
    };
    task
      .run(report)
      .then((following) => this.#end(entry, following))
      .catch((error: unknown) => {
        this.#listener.fail(error);
        this.#listener.report(task.handBack());
        this.#end(entry, []);
      });
  }

  #end(entry: Entry<Outcome>, following: readonly Task<Outcome>[]): void {
    clearTimeout(entry.timer);
    this.#running.delete(entry.task.lane);
    if (entry.isSlow) this.#slow -= 1;
    this.start(following);
    this.#fill();
    this.#listener.advance();
  }

  #watch(entry: Entry<Outcome>, ms: number): void {
    entry.timer = setTimeout(() => this.#judge(entry), ms);
  }

  /**
   * Moves a task that makes no progress to the slow budget, if there is room in it, and lets another one begin. One that
   * goes on making none returns what has not begun.
   */
  #judge(entry: Entry<Outcome>): void {
    const { patienceMs, slow } = this.#budget;
    const idle = performance.now() - entry.progressAt;
    if (!entry.isSlow && idle >= patienceMs && this.#slow < slow) this.#makeSlow(entry);
    const limit = entry.isSlow ? patienceMs * silentAfter : patienceMs;
    if (idle < limit) return this.#watch(entry, limit - idle);
    if (idle >= patienceMs * silentAfter) {
      this.#listener.report(entry.task.handBack());
      this.#listener.advance();
    }
    if (!entry.isSlow) this.#watch(entry, patienceMs);
  }

  #makeSlow(entry: Entry<Outcome>): void {
    entry.isSlow = true;
    this.#slow += 1;
    this.#fill();
    this.#listener.advance();
  }
}
