import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../app.ts';
import { reportTemporaryFailure } from '../temporary-failures.ts';

/** Something that does stored work in batches. */
export interface Worker {
  readonly name: string;
  /** Claims one batch and does it; gives how many items it claimed, 0 when nothing is due. */
  run(app: App): Promise<number>;
}

const pollMilliseconds = 2_000;
/** From a wake-up to the look for work: what is stored meanwhile is claimed together. */
const gatherMilliseconds = 10;

/** Keeps workers going: each runs while there is work, then waits for a wake-up, or looks again after a while. */
export class WorkerLoop {
  readonly #app: App;
  readonly #workers: readonly Worker[];
  readonly #running = new Set<Promise<void>>();
  readonly #wakers = new Map<string, () => void>();
  #stopped = false;

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
    for (const name of names) {
      const wake = this.#wakers.get(name);
      this.#wakers.delete(name);
      wake?.();
    }
  }

  /** Waits for the batches in progress; nothing new is claimed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await Promise.all(this.#running);
  }

  async #loop(worker: Worker): Promise<void> {
    while (!this.#stopped) {
      let woken = false;
      const wake = (): void => void (woken = true);
      this.#wakers.set(worker.name, wake);
      const claimed = await this.#runOnce(worker);
      this.#wakers.delete(worker.name);
      if (claimed === 0 && !woken && !this.#stopped) await this.#wait(worker.name);
      if (!this.#stopped) await pause(gatherMilliseconds);
    }
  }

  async #runOnce(worker: Worker): Promise<number> {
    try {
      return await worker.run(this.#app);
    } catch (error) {
      if (!reportTemporaryFailure(this.#app, error)) {
        this.#app.log.error({ err: error, worker: worker.name }, 'a worker failed; it goes on');
      }
      return 0;
    }
  }

  #wait(name: string): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wakers.delete(name);
        resolve();
      };
      const timer = setTimeout(done, pollMilliseconds);
      this.#wakers.set(name, done);
    });
  }
}
