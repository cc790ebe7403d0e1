import { perApp, type App } from '../../platform/app.ts';
import { Cache } from '../../platform/caching/cache.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { FetchError } from './fetch-document.ts';

/** Shorter than a minute: servers repeat a Follow within the first minute after a failure, some only then. */
const failureTtlMs = 45_000;
/** For objects that their server deleted (410). They do not come back, but domains change hands. */
const goneTtlMs = 600_000;

interface Failure {
  readonly error: Error;
  /** Milliseconds since the epoch, by the clock of the App. */
  readonly until: number;
}

/** Runs `fetch` unless a fetch of the same key is running or failed recently. `fresh` ignores earlier failures. */
export interface Flight<Value> {
  (app: App, key: string, fetch: () => Promise<Value>, fresh?: boolean): Promise<Value>;
  /** The failures that later callers get. */
  readonly failures: Cache<string, Failure>;
}

/**
 * Declares fetches of one kind, each with a key. Concurrent callers with one key share a fetch. A failure is repeated to
 * later callers for 45 seconds, or ten minutes if the object is gone. `name`: of the cache of failures.
 */
export function defineFlight<Value>(name: string): Flight<Value> {
  const failures = new Cache<string, Failure>({ name, maxSize: 10_000, ttlMs: goneTtlMs });
  const runningFetches = perApp(() => new Map<string, Promise<Value>>());

  async function start(app: App, key: string, fetch: () => Promise<Value>): Promise<Value> {
    const running = runningFetches(app);
    const started = fetch();
    running.set(key, started);
    try {
      return await started;
    } catch (error) {
      const failure = toFailure(app, error);
      if (failure !== undefined) failures.set(app, key, failure);
      throw error;
    } finally {
      running.delete(key);
    }
  }

  async function get(app: App, key: string, fetch: () => Promise<Value>, fresh = false): Promise<Value> {
    const failure = fresh ? undefined : failures.peek(app, key);
    if (failure !== undefined && failure.until > app.clock.now().getTime()) throw failure.error;
    const running = runningFetches(app).get(key);
    if (running === undefined) return start(app, key, fetch);
    try {
      return await running;
    } catch (error) {
      // The budget of this caller may allow what that of the first one did not.
      if (isOverBudget(error)) return get(app, key, fetch, fresh);
      throw error;
    }
  }

  return Object.assign(get, { failures });
}

function toFailure(app: App, error: unknown): Failure | undefined {
  if (!(error instanceof FetchError || error instanceof DocumentError) || isOverBudget(error)) return undefined;
  const isGone = error instanceof FetchError && error.gone;
  return { error, until: app.clock.now().getTime() + (isGone ? goneTtlMs : failureTtlMs) };
}

const isOverBudget = (error: unknown): boolean => error instanceof FetchError && error.overBudget;
