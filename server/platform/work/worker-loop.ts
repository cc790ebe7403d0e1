import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../app.ts';
import type { Transaction } from '../write/open-transaction.ts';
import { reportTemporaryFailure } from '../temporary-failures.ts';
import { stopController } from './stop-signal.ts';
import { WakeSignal } from './wake-signal.ts';

/** Does stored work. */
export interface Worker {
  readonly name: string;
  /**
   * Claims due work, waits until some of the work in progress has ended or `wakeSignal` is set, and records the results.
   * Claims nothing if the signal is not set and the last claim took all there was. Returns 0 when nothing is in progress.
   */
  run(app: App, wakeSignal?: WakeSignal): Promise<number>;
  /** Accepts work from transactions of this process. `startTurn`: makes `run` return if it waits, without a claim. */
  open(app: App, startTurn: () => void): void;
  /** Claims nothing more, releases work that has not begun, and waits for the rest. */
  drain(app: App): Promise<void>;
  /** Releases what it claimed but did not begin. */
  releaseUnstarted(app: App): void;
  /** Frees the leases of dead processes. */
  releaseLeases(db: Transaction['db'], holders: readonly string[]): Promise<void>;
}

const pollIntervalMs = 2_000;
/** Delay from a wake-up to the claim: work that is stored in between is claimed together. */
const wakeDelayMs = 10;

/** Runs workers: each runs while there is work, then waits for a wake-up or the next poll. */
export class WorkerLoop {
  readonly #app: App;
  readonly #workers: readonly Worker[];
  readonly #running = new Set<Promise<void>>();
  readonly #signals: ReadonlyMap<string, WakeSignal>;
  #isStopped = false;

  constructor(app: App, workers: readonly Worker[]) {
    this.#app = app;
    this.#workers = workers;
    this.#signals = new Map(workers.map(({ name }) => [name, new WakeSignal()]));
  }

  start(): void {
    for (const worker of this.#workers) {
      const running = this.#loop(worker);
      this.#running.add(running);
      void running.finally(() => this.#running.delete(running));
    }
  }

  /** Makes workers of these names look for work. Default: all workers. */
  wake(names: readonly string[] = this.#workers.map(({ name }) => name)): void {
    for (const name of names) this.#signals.get(name)?.set();
  }

  /** Waits for the work in progress; nothing more is claimed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    stopController(this.#app).abort();
    this.wake();
    await Promise.all(this.#running);
  }

  async #loop(worker: Worker): Promise<void> {
    const signal = this.#signals.get(worker.name) ?? new WakeSignal();
    signal.set();
    worker.open(this.#app, () => signal.interrupt());
    const timer = setInterval(() => signal.set(), pollIntervalMs);
    while (!this.#isStopped) {
      if ((await this.#runOnce(worker, signal)) === 0) await signal.wait();
      if (!this.#isStopped) await pause(wakeDelayMs);
    }
    clearInterval(timer);
    await worker.drain(this.#app).catch((error: unknown) => this.#logError(worker, error));
  }

  async #runOnce(worker: Worker, signal: WakeSignal): Promise<number> {
    try {
      return await worker.run(this.#app, signal);
    } catch (error) {
      this.#logError(worker, error);
      return 0;
    }
  }

  #logError(worker: Worker, error: unknown): void {
    if (reportTemporaryFailure(this.#app, error)) return;
    this.#app.log.error({ err: error, worker: worker.name }, 'a worker failed; it continues');
  }
}
