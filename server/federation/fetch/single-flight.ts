import { Cache } from '../../platform/cache.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { FetchError } from './fetch-document.ts';

const negativeMilliseconds = 600_000;

/**
 * Fetches of one kind by address: several askers at once share one, and what could not be had is not asked for again
 * for ten minutes.
 */
export class SingleFlight<Value> {
  readonly #running = new Map<string, Promise<Value>>();
  readonly #failed = new Cache<string, Error>({ size: 10_000, ttl: negativeMilliseconds });

  /** `fresh` asks even when it failed a moment ago. */
  async get(key: string, fetch: () => Promise<Value>, fresh = false): Promise<Value> {
    const failed = fresh ? undefined : this.#failed.get(key);
    if (failed !== undefined) throw failed;
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const started = fetch();
    this.#running.set(key, started);
    try {
      return await started;
    } catch (error) {
      if (error instanceof FetchError || error instanceof DocumentError) this.#failed.set(key, error);
      throw error;
    } finally {
      this.#running.delete(key);
    }
  }

  forget(key: string): void {
    this.#failed.delete(key);
  }
}
