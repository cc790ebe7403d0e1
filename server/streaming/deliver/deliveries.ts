import { perApp, type App } from '../../platform/app.ts';
import { reportTemporaryFailure, warnThrottled } from '../../platform/temporary-failures.ts';

/** Deliveries in progress, beyond which events are dropped: streams are best effort, memory is not endless. */
const maxPending = 5_000;

/** What is being sent to clients. Events about the same thing are sent in their order. */
class Deliveries {
  readonly #app: App;
  readonly #last = new Map<string, Promise<void>>();
  #pending = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /**
   * Runs `work` after what was started before with the same key. Errors are only logged. Returns false if it is dropped.
   */
  start(key: string, work: () => Promise<void>): boolean {
    if (this.#pending >= maxPending) {
      warnThrottled(this.#app.log, 'too many events for streams; some are dropped', { max: maxPending });
      return false;
    }
    this.#pending += 1;
    const delivery = this.#run(this.#last.get(key), work).finally(() => {
      this.#pending -= 1;
      if (this.#last.get(key) === delivery) this.#last.delete(key);
    });
    this.#last.set(key, delivery);
    return true;
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }

  async #run(earlier: Promise<void> | undefined, work: () => Promise<void>): Promise<void> {
    await earlier;
    try {
      await work();
    } catch (error) {
      if (!reportTemporaryFailure(this.#app, error))
        this.#app.log.error({ err: error }, 'an event was not sent to streams');
    }
  }
}

export const deliveries = perApp((app) => new Deliveries(app));
