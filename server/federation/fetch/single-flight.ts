import { rootApp, type App } from '../../platform/app.ts';
import { Cache } from '../../platform/cache.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { FetchError } from './fetch-document.ts';

/** Servers repeat a Follow within the first minute after a failure, some only then: a failure is forgotten before. */
const failureTtlMs = 45_000;
/** For what its server has removed for good (410). It does not come back, but domains change hands. */
const goneTtlMs = 600_000;

interface Failure {
  readonly error: Error;
  readonly until: number;
}

/**
 * Fetches of one kind by address: several askers at once share one, and what could not be had is not asked for again
 * for 45 seconds, or ten minutes if it is gone for good.
 */
export class SingleFlight<Value> {
  readonly #app: App;
  readonly #running = new Map<string, Promise<Value>>();
  readonly #failed = new Cache<string, Failure>({ size: 10_000, ttl: goneTtlMs });

  constructor(app: App) {
    this.#app = rootApp(app);
  }

  /** `fresh` asks even when it failed a moment ago. */
  async get(key: string, fetch: () => Promise<Value>, fresh = false): Promise<Value> {
    const failure = fresh ? undefined : this.#failed.get(key);
    if (failure !== undefined && failure.until > this.#now()) throw failure.error;
    const running = this.#running.get(key);
    if (running === undefined) return this.#start(key, fetch);
    try {
      return await running;
    } catch (error) {
      // The budget of another is no reason to fail: ours may allow it.
      if (isOverBudget(error)) return this.get(key, fetch, fresh);
      throw error;
    }
  }

  async #start(key: string, fetch: () => Promise<Value>): Promise<Value> {
    const started = fetch();
    this.#running.set(key, started);
    try {
      return await started;
    } catch (error) {
      this.#cacheFailure(key, error);
      throw error;
    } finally {
      this.#running.delete(key);
    }
  }

  #cacheFailure(key: string, error: unknown): void {
    if (!(error instanceof FetchError || error instanceof DocumentError) || isOverBudget(error)) return;
    const isGone = error instanceof FetchError && error.gone;
    this.#failed.set(key, { error, until: this.#now() + (isGone ? goneTtlMs : failureTtlMs) });
  }

  #now(): number {
    return this.#app.clock.now().getTime();
  }
}

const isOverBudget = (error: unknown): boolean => error instanceof FetchError && error.overBudget;
