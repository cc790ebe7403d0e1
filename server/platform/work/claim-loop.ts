import { perApp, type App } from '../app.ts';
import type { Transaction } from '../write/transaction.ts';
import { CommitUnknown } from '../wire/database-unavailable.ts';
import { AcceptedItems } from './accepted-items.ts';
import { nextClaimState, type ClaimEvent, type ClaimState } from './claim-state.ts';
import { openIntake } from './intake.ts';
import { Lanes, type LaneLimits, type Task } from './lanes.ts';
import { leaseHolder } from './lease-holder.ts';
import type { Lease } from './leases.ts';
import { WakeSignal } from './wake-signal.ts';
import type { Worker } from './worker-loop.ts';

/** Limits of a claim. */
export interface ClaimRequest {
  /** Maximum number of rows, or of lanes for a source that claims several rows of a lane at once. */
  readonly maxRows: number;
  /** Busy lanes: nothing of theirs is claimed. */
  readonly busyLanes: readonly string[];
  /** Hosts that exceed their share of the slow lanes: nothing of theirs is claimed. */
  readonly saturatedHosts: readonly string[];
  /** Claims only rows of hosts that responded lately. */
  readonly responsiveHostsOnly: boolean;
}

/** A table of stored work. Every statement that records a result checks that this process still holds the lease. */
export interface WorkSource<Item extends Lease, Outcome> {
  /** Name of the worker. */
  readonly name: string;
  readonly limits: LaneLimits;
  /** Called when the worker starts in this process. */
  open?(app: App): void;
  /** Leases due rows to this process. */
  claim(app: App, room: ClaimRequest): Promise<readonly Item[]>;
  /** Groups claimed rows into tasks, one a lane. */
  buildTasks(app: App, items: readonly Item[]): readonly Task<Outcome>[] | Promise<readonly Task<Outcome>[]>;
  /**
   * Returns whether rows that could not be claimed before can be claimed once this outcome is recorded. Without this
   * method every turn claims, because the end of a lane frees the rows behind it.
   */
  freesRows?(outcome: Outcome): boolean;
  /**
   * Records results in a fixed number of statements. A source with `freesRows` may return true instead, if it finds rows
   * that can be claimed now.
   */
  recordOutcomes(app: App, outcomes: readonly Outcome[]): Promise<boolean | void>;
  /** Extends the leases of rows in progress. */
  renewLeases(app: App, leases: readonly Lease[]): Promise<void>;
  /** Frees all leases of processes that are dead. */
  releaseLeases(db: Transaction['db'], holders: readonly string[]): Promise<void>;
}

interface ClaimResult {
  readonly count: number;
  /** Another claim may find more at once. */
  readonly isMore: boolean;
  /** Too little room kept it from taking all that is due. */
  readonly isLimited: boolean;
}

const renewAfterMs = 60_000;

/**
 * A claim of responsive hosts passes over the due rows of all others, of which there may be many thousands. If it finds
 * less than it has room for, the next one waits this many times as long as it took, at most `maxPauseMs`.
 */
const pauseFactor = 9;
const maxPauseMs = 1_000;

/**
 * Claims work while there is room, and never waits for the slowest task. A turn ends when a task ends or becomes slow,
 * or new work is stored; results are recorded together.
 */
class ClaimLoop<Item extends Lease, Outcome> {
  readonly #app: App;
  readonly #source: WorkSource<Item, Outcome>;
  readonly #lanes: Lanes<Outcome>;
  readonly #accepted: AcceptedItems<Item>;
  #outcomes: Outcome[] = [];
  #state: ClaimState = 'claiming';
  /** Set when a task ended, made progress or became slow. */
  readonly #progress = new WakeSignal();
  /** Set when no task is left. */
  readonly #idle = new WakeSignal();
  /** When responsive hosts may be claimed again, by `performance.now()`. */
  #responsiveAt = 0;
  #responsiveTimer: NodeJS.Timeout | undefined;

  constructor(app: App, source: WorkSource<Item, Outcome>) {
    this.#app = app;
    this.#source = source;
    this.#lanes = new Lanes(source.limits, {
      onOutcomes: (outcomes) => this.#outcomes.push(...outcomes),
      onProgress: () => this.#advance(),
      onError: (error) => app.reportJobFailure(source.name, error),
    });
    // Rows that wait for a claim come first.
    this.#accepted = new AcceptedItems(
      Math.max(source.limits.batchSize, source.limits.fastLanes),
      () =>
        this.#state === 'waiting' && this.#lanes.availableLanes(false) > 0 && this.#lanes.saturatedHosts().length === 0,
      source.limits.gatherMs,
    );
  }

  open(startTurn: () => void): void {
    this.#accepted.open(startTurn);
    this.#source.open?.(this.#app);
    openIntake(this.#app, this.#source.name, this.#accepted, leaseHolder(this.#app));
  }

  async runOnce(wakeSignal?: WakeSignal): Promise<number> {
    this.#progress.take();
    if (wakeSignal?.take() ?? true) this.#apply({ kind: 'woken' });
    const accepted = await this.#startAccepted();
    const claimed = this.#state === 'claiming' || this.#state === 'full' ? await this.#claim() : 0;
    const isBusy = this.#lanes.size > 0;
    if (isBusy) await Promise.race([this.#progress.wait(), ...(wakeSignal === undefined ? [] : [wakeSignal.wait()])]);
    await this.#gather(wakeSignal);
    const recorded = await this.#record();
    await this.#renew();
    return Math.max(accepted, claimed, recorded, isBusy ? 1 : 0);
  }

  releaseUnstarted(): void {
    this.#lanes.releaseAll();
  }

  async drain(): Promise<void> {
    this.#apply({ kind: 'closed' });
    this.#accepted.close();
    await this.#startAccepted();
    this.#lanes.releaseAll();
    while (this.#lanes.size > 0) {
      await this.#progress.wait();
      this.#progress.take();
      await new Promise((resolve) => setImmediate(resolve));
      await this.#record();
    }
    await this.#record();
    this.#apply({ kind: 'drained' });
  }

  #apply(event: ClaimEvent): void {
    this.#state = nextClaimState(this.#state, event);
  }

  #advance(): void {
    this.#progress.set();
    if (this.#lanes.size === 0) this.#idle.set();
  }

  /** Waits for results that arrive at nearly the same moment, so that one statement records them. */
  async #gather(wakeSignal: WakeSignal | undefined): Promise<void> {
    const { recordAfterMs } = this.#source.limits;
    if (recordAfterMs === undefined || this.#outcomes.length === 0 || this.#lanes.size === 0)
      return new Promise((resolve) => setImmediate(resolve));
    this.#idle.take();
    const timer = setTimeout(() => this.#idle.set(), recordAfterMs);
    await Promise.race([this.#idle.wait(), ...(wakeSignal === undefined ? [] : [wakeSignal.wait()])]);
    clearTimeout(timer);
  }

  async #startAccepted(): Promise<number> {
    const items = this.#accepted.take();
    if (items.length > 0) this.#lanes.start(await this.#source.buildTasks(this.#app, items));
    return items.length;
  }

  /** Alternates with claims of responsive hosts only, so that their work does not wait for a long queue of others. */
  async #claim(): Promise<number> {
    const tracksHosts = this.#source.limits.reservedLanes > 0;
    let isLimited = false;
    let count = 0;
    for (let isMore = true; isMore && this.#state !== 'closing';) {
      const claims = [...(tracksHosts ? await this.#claimResponsive() : []), await this.#claimOnce(false)];
      for (const claim of claims) count += claim.count;
      isLimited ||= claims.some((claim) => claim.isLimited);
      isMore = claims.some((claim) => claim.isMore);
    }
    const left = isLimited ? 'for lack of room' : 'none';
    this.#apply({ kind: 'claimed', left: this.#source.freesRows === undefined ? 'unknown' : left });
    return count;
  }

  /** Returns no claim during the pause after one that found little; the turn after the pause makes up for it. */
  async #claimResponsive(): Promise<ClaimResult[]> {
    const start = performance.now();
    if (start < this.#responsiveAt) {
      if (this.#responsiveTimer === undefined) this.#endPause(this.#responsiveAt - start);
      return [];
    }
    const claim = await this.#claimOnce(true);
    const end = performance.now();
    if (!claim.isMore) this.#responsiveAt = end + Math.min((end - start) * pauseFactor, maxPauseMs);
    return [claim];
  }

  #endPause(afterMs: number): void {
    this.#responsiveTimer = setTimeout(() => {
      this.#responsiveTimer = undefined;
      this.#progress.set();
    }, afterMs).unref();
  }

  async #claimOnce(responsiveHostsOnly: boolean): Promise<ClaimResult> {
    const { batchSize, rowsPerLane } = this.#source.limits;
    const maxRows = Math.min(this.#lanes.availableLanes(responsiveHostsOnly) * rowsPerLane, batchSize);
    if (maxRows <= 0) return { count: 0, isMore: false, isLimited: true };
    const busyLanes = this.#lanes.laneNames();
    const saturatedHosts = this.#lanes.saturatedHosts();
    const request = { maxRows, responsiveHostsOnly, busyLanes, saturatedHosts };
    const items = await this.#source.claim(this.#app, request).catch((error: unknown) => {
      if (error instanceof CommitUnknown) leaseHolder(this.#app).doubtLeases();
      throw error;
    });
    if (items.length > 0) this.#lanes.start(await this.#source.buildTasks(this.#app, items));
    return { count: items.length, isMore: items.length >= maxRows, isLimited: saturatedHosts.length > 0 };
  }

  async #record(): Promise<number> {
    const outcomes = this.#outcomes;
    if (outcomes.length === 0) return 0;
    this.#outcomes = [];
    try {
      const hasFreedRows = await this.#source.recordOutcomes(this.#app, outcomes);
      if (hasFreedRows === true || outcomes.some((outcome) => this.#source.freesRows?.(outcome)))
        this.#apply({ kind: 'freed' });
    } catch (error) {
      // While the database is down, results wait. A result that the database rejects would block all others, so it is
      // dropped.
      if (!isPermanentSqlError(error)) this.#outcomes = [...outcomes, ...this.#outcomes];
      throw error;
    }
    return outcomes.length;
  }

  async #renew(): Promise<void> {
    const leases = this.#lanes.leasesOlderThan(renewAfterMs);
    if (leases.length > 0) await this.#source.renewLeases(this.#app, leases);
  }
}

/** SQLSTATE classes 22 (data exception), 23 (integrity) and 42 (invalid statement): retrying cannot help. */
function isPermanentSqlError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(22|23|42)...$/.test(String(error.code));
}

/** Creates a worker for a source. */
export function createClaimWorker<Item extends Lease, Outcome>(source: WorkSource<Item, Outcome>): Worker {
  const loops = perApp((app) => new ClaimLoop(app, source));
  return {
    name: source.name,
    run: (app, wakeSignal) => loops(app).runOnce(wakeSignal),
    open: (app, startTurn) => loops(app).open(startTurn),
    drain: (app) => loops(app).drain(),
    releaseUnstarted: (app) => loops(app).releaseUnstarted(),
    releaseLeases: (db, holders) => source.releaseLeases(db, holders),
  };
}
