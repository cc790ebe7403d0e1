import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../app.ts';
import type { Transaction } from '../database/transaction.ts';
import { reportTemporaryFailure } from '../temporary-failures.ts';

/** Does stored work. */
export interface Worker {
  readonly name: string;
  /**
   * Claims what there is room for, waits until some of what is under way has ended or `woken` resolves, and records the
   * results. Returns 0 when nothing is due and nothing is under way.
   */
  run(app: App, woken?: Promise<void>): Promise<number>;
  /** Claims nothing more, returns what has not begun, waits for the rest. */
  drain(app: App): Promise<void>;
  /** Frees the leases of dead processes. */
  releaseLeases(db: Transaction['db'], holders: readonly string[]): Promise<void>;
}

const pollIntervalMs = 2_000;
/** From a wake-up to the look for work: what is stored meanwhile is claimed together. */
const wakeDelayMs = 10;

/** Keeps workers going: each runs while there is work, then waits for a wake-up, or looks again after a while. */
export class WorkerLoop {
  readonly #app: App;
  readonly #workers: readonly Worker[];
  readonly #running = new Set<Promise<void>>();
  readonly #wakers = new Map<string, () => void>();
  #isStopped = false;

  constructor(app: App, workers: readonly Worker[]) {
    this.#app = app;
    this.#workers = workers;
  }

  start(): void {
    for (const worker of this.#workers) {
      const running = this.#loop(worker);
      this.#running.add(running);
      void running.finally(() => this.#running.delete(running));
    }
  }

  /** Makes waiting workers of these names, or all of them, look for work now. */
  wake(names: readonly string[] = this.#workers.map(({ name }) => name)): void {
    for (const name of names) this.#wakers.get(name)?.();
  }

  /** Waits for the work in progress; nothing new is claimed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.wake();
    await Promise.all(this.#running);
  }

  async #loop(worker: Worker): Promise<void> {
    while (!this.#isStopped) {
      const woken = Promise.withResolvers<void>();
      this.#wakers.set(worker.name, woken.resolve);
      const timer = setTimeout(woken.resolve, pollIntervalMs);
      if ((await this.#runOnce(worker, woken.promise)) === 0) await woken.promise;
      clearTimeout(timer);
      if (!this.#isStopped) await pause(wakeDelayMs);
    }
    await worker.drain(this.#app).catch((error: unknown) => this.#logError(worker, error));
  }

  async #runOnce(worker: Worker, woken: Promise<void>): Promise<number> {
    try {
      return await worker.run(this.#app, woken);
    } catch (error) {
      this.#logError(worker, error);
      return 0;
    }
  }

  #logError(worker: Worker, error: unknown): void {
    if (reportTemporaryFailure(this.#app, error)) return;
    this.#app.log.error({ err: error, worker: worker.name }, 'a worker failed and goes on');
  }
}
