import { perApp, type App } from '../app.ts';
import type { Write } from '../database/write.ts';
import { Lanes, type Budget, type Task } from './lanes.ts';
import type { Lease } from './leases.ts';
import type { Worker } from './worker.ts';

/** What the next claim may take. */
export interface Room {
  /** Maximum number of rows, or of lanes for a source that claims several rows of a lane at once. */
  readonly rows: number;
  /** Lanes that are being worked on: nothing of theirs is claimed. */
  readonly busyLanes: readonly string[];
  /** Hosts that take more than their share of the slow budget: nothing of theirs is claimed. */
  readonly fullHosts: readonly string[];
  /** Only rows of hosts that answered lately are claimed. */
  readonly provenOnly: boolean;
}

/** A table of stored work. All its statements check that a lease is still held by the process that records a result. */
export interface Source<Item extends Lease, Outcome> {
  /** Name of the worker. */
  readonly name: string;
  readonly budget: Budget;
  /** Leases due rows to this process. */
  claim(app: App, room: Room): Promise<readonly Item[]>;
  /** Groups claimed rows into tasks, one a lane. */
  tasks(app: App, items: readonly Item[]): readonly Task<Outcome>[] | Promise<readonly Task<Outcome>[]>;
  /** Records results in a fixed number of statements. */
  record(app: App, outcomes: readonly Outcome[]): Promise<void>;
  /** Extends leases of rows that are still being worked on. */
  renew(app: App, leases: readonly Lease[]): Promise<void>;
  /** Frees all leases of processes that are dead. */
  free(db: Write['db'], holders: readonly string[]): Promise<void>;
}

const renewAfterMs = 60_000;

/**
 * Claims work while there is room and never waits for the slowest of what it claimed. A turn ends when anything has
 * ended, has become slow or was stored; its results are recorded together.
 */
class ClaimLoop<Item extends Lease, Outcome> {
  readonly #app: App;
  readonly #source: Source<Item, Outcome>;
  readonly #lanes: Lanes<Outcome>;
  #outcomes: Outcome[] = [];
  #advanced = false;
  #progress = Promise.withResolvers<void>();
  #isClosing = false;

  constructor(app: App, source: Source<Item, Outcome>) {
    this.#app = app;
    this.#source = source;
    this.#lanes = new Lanes(source.budget, {
      report: (outcomes) => this.#outcomes.push(...outcomes),
      advance: () => this.#advance(),
      fail: (error) => app.reportJobFailure(source.name, error),
    });
  }

  async turn(woken?: Promise<void>): Promise<number> {
    this.#advanced = false;
    const claimed = await this.#claim();
    const isBusy = this.#lanes.size > 0;
    if (isBusy && !this.#advanced)
      await Promise.race([this.#progress.promise, ...(woken === undefined ? [] : [woken])]);
    // Results that arrive at the same moment are recorded by one statement.
    await new Promise((resolve) => setImmediate(resolve));
    const recorded = await this.#record();
    await this.#renew();
    return Math.max(claimed, recorded, isBusy ? 1 : 0);
  }

  async settle(): Promise<void> {
    this.#isClosing = true;
    this.#lanes.handBackAll();
    while (this.#lanes.size > 0) {
      await this.#progress.promise;
      await new Promise((resolve) => setImmediate(resolve));
      await this.#record();
    }
    await this.#record();
    this.#isClosing = false;
  }

  #advance(): void {
    this.#advanced = true;
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  }

  /** Claims work of proven hosts between all other claims, so that it does not wait for a long row of them. */
  async #claim(): Promise<number> {
    const knowsHosts = this.#source.budget.reserved > 0;
    let count = 0;
    for (let isMore = true; isMore && !this.#isClosing;) {
      const proven = knowsHosts ? await this.#claimOnce(true) : { count: 0, isMore: false };
      const others = await this.#claimOnce(false);
      count += proven.count + others.count;
      isMore = proven.isMore || others.isMore;
    }
    return count;
  }

  async #claimOnce(provenOnly: boolean): Promise<{ count: number; isMore: boolean }> {
    const { batch, rowsPerLane } = this.#source.budget;
    const rows = Math.min(this.#lanes.room(provenOnly) * rowsPerLane, batch);
    if (rows <= 0) return { count: 0, isMore: false };
    const busyLanes = this.#lanes.names();
    const room = { rows, provenOnly, busyLanes, fullHosts: this.#lanes.fullHosts() };
    const items = await this.#source.claim(this.#app, room);
    if (items.length > 0) this.#lanes.start(await this.#source.tasks(this.#app, items));
    return { count: items.length, isMore: items.length >= rows };
  }

  async #record(): Promise<number> {
    const outcomes = this.#outcomes;
    if (outcomes.length === 0) return 0;
    this.#outcomes = [];
    try {
      await this.#source.record(this.#app, outcomes);
    } catch (error) {
      // While the database is away, results wait for it. What it refuses to store would keep all others waiting.
      if (!isRefusedData(error)) this.#outcomes = [...outcomes, ...this.#outcomes];
      throw error;
    }
    return outcomes.length;
  }

  async #renew(): Promise<void> {
    const leases = this.#lanes.leasesOlderThan(renewAfterMs);
    if (leases.length > 0) await this.#source.renew(this.#app, leases);
  }
}

/** SQLSTATE classes 22 (data exception), 23 (integrity) and 42 (wrong statement): trying again cannot help. */
function isRefusedData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(22|23|42)...$/.test(String(error.code));
}

/** Makes a worker of a source. */
export function claimWorker<Item extends Lease, Outcome>(source: Source<Item, Outcome>): Worker {
  const loops = perApp((app) => new ClaimLoop(app, source));
  return {
    name: source.name,
    run: (app, woken) => loops(app).turn(woken),
    settle: (app) => loops(app).settle(),
    free: (db, holders) => source.free(db, holders),
  };
}
