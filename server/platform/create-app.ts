import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { App } from './app.ts';
import type { Bus } from './bus/bus.ts';
import { receiveEvents } from './write/publish.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Connection } from './wire/pool.ts';
import { readDatabase } from './database/read-database.ts';
import { createMailer, type Mailer } from './mail.ts';
import { createOutgoing, type Outgoing } from './outgoing/outgoing.ts';
import { resolveMx, type ResolveMx } from './outgoing/resolve-mx.ts';
import { createRateLimiter } from './rate-limits/rate-limiter.ts';
import { createStorage } from './storage/create-storage.ts';
import type { Tracing } from './tracing/span.ts';
import { traceOutgoing } from './tracing/trace-outgoing.ts';
import type { Replicas } from './replicas/replicas.ts';
import { reportTemporaryFailure } from './temporary-failures.ts';

/** The services of an App. Those that are left out are created from the settings. */
export interface AppOptions {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly directConnection: Connection;
  readonly replicas?: Replicas | undefined;
  readonly tracing?: Tracing | undefined;
  readonly log: Logger;
  readonly bus: Bus;
  readonly clock?: Clock;
  readonly outgoing?: Outgoing;
  readonly resolveMx?: ResolveMx;
  readonly mail?: Mailer;
  readonly reportJobFailure?: (name: string, error: unknown) => void;
}

/** The parts of an App that depend on which domains are loaded. */
export type DomainParts = Pick<App, 'subscriptions' | 'isPartial'>;

export const wakeChannel = 'jobs:wake';
/** Maximum time that closing an App takes. */
export const maxCloseMs = 10_000;

/** Builds an App. The caller closes it with `closeApp`. */
export function buildApp(parts: AppOptions, { subscriptions, isPartial }: DomainParts): App {
  const { config, pool, directConnection, log, bus, tracing } = parts;
  const outgoing = parts.outgoing ?? createOutgoing(config, log);
  const clock = parts.clock ?? systemClock;
  const queries = { count: 0 };
  const app: App = {
    config,
    db: readDatabase(pool, () => (queries.count += 1)),
    pool,
    replicas: parts.replicas,
    directConnection,
    log,
    clock,
    bus,
    mail: parts.mail ?? createMailer(config, log),
    storage: createStorage(config),
    outgoing: tracing === undefined ? outgoing : traceOutgoing(outgoing),
    resolveMx: parts.resolveMx ?? resolveMx,
    rateLimiter: createRateLimiter({ config, clock, pool, bus }),
    tracing,
    subscriptions,
    isPartial,
    wakeWorkers: (names) => bus.publish(wakeChannel, names),
    reportJobFailure:
      parts.reportJobFailure ??
      ((name, error) => {
        if (!reportTemporaryFailure(app, error))
          log.warn({ err: error, job: name }, 'a job failed; it will be retried');
      }),
    queries,
  };
  receiveEvents(app);
  return app;
}

/** Closes the connections of an App, including the pool. Takes at most ten seconds, even if peers do not respond. */
export async function closeApp(app: App): Promise<void> {
  const closing = Promise.allSettled([
    closeDatabase(app),
    app.mail.close(),
    app.outgoing.close(),
    app.tracing?.close(),
  ]);
  await Promise.race([closing, pause(maxCloseMs, undefined, { ref: false })]);
}

async function closeDatabase(app: App): Promise<void> {
  const closing = Promise.allSettled([app.bus.close(), app.rateLimiter.close(), app.replicas?.close()]);
  // Sending their last messages takes milliseconds, unless the database is down.
  await Promise.race([closing, pause(maxCloseMs / 4, undefined, { ref: false })]);
  await app.pool.end();
}
