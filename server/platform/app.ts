import type pg from 'pg';
import type { Logger } from 'pino';
import type { Bus } from './bus/bus.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { ReadDatabase } from './database/read-database.ts';
import type { SubscriptionIndex } from './write/subscriptions.ts';
import type { Mailer } from './mail.ts';
import type { FetchBudget, Outgoing } from './outgoing/outgoing.ts';
import type { ResolveMx } from './outgoing/resolve-mx.ts';
import type { RateLimiter } from './rate-limits/rate-limiter.ts';
import type { Replica } from './replicas/replica.ts';
import type { Replicas } from './replicas/replicas.ts';
import type { Tracing } from './tracing/span.ts';
import type { Storage } from './storage/storage.ts';
import type { Connection } from './wire/pool.ts';

/** The services that use cases need besides their arguments. `createApp` builds it; tests build their own. */
export interface App {
  readonly config: Config;
  /** Read-only. Changes go through `transaction`. */
  readonly db: ReadDatabase;
  /** The same connections, for prepared statements. Read-only. */
  readonly pool: pg.Pool;
  /** The replicas that requests may read from; undefined: none, or another process answers requests. */
  readonly replicas?: Replicas | undefined;
  /** The replica that `db` and `pool` lead to (`readerOn`); undefined: the primary. */
  readonly replica?: Replica;
  /** The address of PostgreSQL itself, for sessions that last: leases, notifications, maintenance. */
  readonly directConnection: Connection;
  readonly log: Logger;
  readonly clock: Clock;
  /** Messages between the processes of this instance. */
  readonly bus: Bus;
  readonly mail: Mailer;
  readonly storage: Storage;
  /** Every request to another host goes through it. */
  readonly outgoing: Outgoing;
  /** Queries the mail servers of a domain. */
  readonly resolveMx: ResolveMx;
  /** Limits the requests to other hosts that the current work makes; undefined if it has no such limit. */
  readonly fetchBudget?: FetchBudget;
  /** The App that this one is derived from, by `withFetchBudget` or `readerOn`. */
  readonly root?: App;
  readonly rateLimiter: RateLimiter;
  /** Records traces; undefined without OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly tracing?: Tracing | undefined;
  readonly subscriptions: SubscriptionIndex;
  /** Only some domains are loaded. The caches of other processes may react to more events than are known. */
  readonly isPartial: boolean;
  /** Makes workers of these names look for work, in every process. */
  readonly wakeWorkers: (names: readonly string[]) => void;
  /** Called for each failed attempt of a job. The job is retried. */
  readonly reportJobFailure: (name: string, error: unknown) => void;
  /** Number of statements sent. Tests check that it does not grow with the length of a page. */
  readonly queries: { count: number };
}

/** Returns the App that `createApp` built: without the fetch budget of the current work, and on the primary. */
export const rootApp = (app: App): App => app.root ?? app;

/**
 * Declares an object that each App has one of, such as a cache. It is created at first use and released with the App.
 * Derived Apps share the object of their root.
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
