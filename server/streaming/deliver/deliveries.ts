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
   * Runs `work` after what was started before with one of its keys. Errors are only logged. Returns undefined if it
   * is dropped.
   */
  start(key: string | readonly string[], work: () => Promise<void>): Promise<void> | undefined {
    if (this.#pending >= maxPending) {
      warnThrottled(this.#app.log, 'too many events for streams; some are dropped', { max: maxPending });
      return undefined;
    }
    this.#pending += 1;
    const keys = typeof key === 'string' ? [key] : key;
    const earlier = keys.flatMap((each) => this.#last.get(each) ?? []);
    const delivery = this.#run(earlier, work).finally(() => {
      this.#pending -= 1;
      for (const each of keys) if (this.#last.get(each) === delivery) this.#last.delete(each);
    });
    for (const each of keys) this.#last.set(each, delivery);
    return delivery;
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }

  async #run(earlier: readonly Promise<void>[], work: () => Promise<void>): Promise<void> {
    await Promise.all(earlier);
    try {
      await work();
    } catch (error) {
      if (!reportTemporaryFailure(this.#app, error))
        this.#app.log.error({ err: error }, 'an event was not sent to streams');
    }
  }
}

export const deliveries = perApp((app) => new Deliveries(app));
