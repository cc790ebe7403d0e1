import type pg from 'pg';
import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { ReadDatabase } from './database/read-database.ts';
import type { FetchBudget } from './fetch-budget.ts';
import type { SubscriptionIndex } from './events/reactions.ts';
import type { Mailer } from './mail.ts';
import type { Outgoing } from './outgoing.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Storage } from './storage.ts';

/** Everything a use case may reach beyond its arguments. Built once by `createApp`; tests build their own. */
export interface App {
  readonly config: Config;
  /** For queries. Changes go through `write`. */
  readonly db: ReadDatabase;
  /** The same connections, for named statements. Read-only as well. */
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly clock: Clock;
  /** Messages to every process of this instance. */
  readonly bus: Bus;
  readonly mail: Mailer;
  readonly storage: Storage;
  /** All requests to other hosts. */
  readonly outgoing: Outgoing;
  /** Limits the requests to other hosts of the work in hand; undefined if nothing limits them as a whole. */
  readonly fetchBudget?: FetchBudget;
  /** The App that this one was derived from by `withFetchBudget`. */
  readonly root?: App;
  readonly rateLimiter: RateLimiter;
  readonly subscriptions: SubscriptionIndex;
  /** Only some domains are loaded, so it is unknown which events the caches of other processes react to. */
  readonly isPartial: boolean;
  /** Makes workers of these names look for work, in this process and in others. */
  readonly wakeWorkers: (names: readonly string[]) => void;
  /** Hears of each job that failed; it is tried again by itself. */
  readonly reportJobFailure: (name: string, error: unknown) => void;
  /** Number of statements sent, for the test that no endpoint asks more for a longer page. */
  readonly queries: { count: number };
}

/** The App as `createApp` built it, without what limits the work in hand. */
export const rootApp = (app: App): App => app.root ?? app;

/**
 * Something that each App has one of (a cache, a connection), made when first asked for and dropped with the App. Apps
 * derived by `withFetchBudget` share that of their root.
 */
export function perApp<Thing>(create: (app: App) => Thing): (app: App) => Thing {
  const instances = new WeakMap<App, Thing>();
  return (app) => {
    const root = rootApp(app);
    let instance = instances.get(root);
    if (instance === undefined) {
      instance = create(root);
      instances.set(root, instance);
    }
    return instance;
  };
}
