import type { Static, TObject } from 'typebox';
import type { App } from '../app.ts';
import type { Write } from '../database/write.ts';
import type { FetchBudgetId } from '../ids.ts';

/** Something that happened, with the ids that a subscriber needs to look the rest up. */
export interface DomainEvent<Name extends string = string, Data = unknown> {
  readonly name: Name;
  readonly data: Data;
}

/**
 * Queues of the job table. Jobs of one queue share a worker, so a job belongs with others that wait for the same thing:
 * `feeds` builds timelines, `mail` waits for the mail server, `media` for decoders, `cards` for linked pages, `remote` for
 * remote documents; `background` is long work in the database, such as deleting an account's rows.
 */
export const queues = ['default', 'feeds', 'mail', 'media', 'cards', 'remote', 'background'] as const;
export type Queue = (typeof queues)[number];

/** Name of the worker that does the jobs of a queue. */
export const workerOf = (queue: Queue): string => `jobs:${queue}`;

/**
 * One reaction to one kind of event. A durable one is a job of its own, stored by the commit that made the event and
 * retried by itself. A live one runs in this process right after the commit, and is lost in a crash.
 */
export interface Subscription {
  readonly kind: 'durable' | 'live' | 'within';
  readonly event: string;
  readonly name: string;
  readonly queue: Queue;
  run(app: App, data: unknown): Promise<void> | void;
  /**
   * Does several at once, all or none of them; when it throws they are run one by one. `budgets`: the fetch budget of
   * each, for the jobs that it stores in turn.
   */
  runBatch?(app: App, data: readonly unknown[], budgets: readonly (FetchBudgetId | null)[]): Promise<void>;
  /** Of `within`: takes part in the transaction, once for all its events of the kind. */
  takePart?(write: Write, app: App, data: readonly unknown[]): Promise<void>;
}

export interface EventType<Name extends string, Schema extends TObject> {
  (data: Static<Schema>): DomainEvent<Name, Static<Schema>>;
  readonly event: Name;
  readonly schema: Schema;
}

/** Declares a kind of event (ids only, past participle); what it gives is a function that makes one. */
export function defineEvent<Name extends string, Schema extends TObject>(
  event: Name,
  schema: Schema,
): EventType<Name, Schema> {
  return Object.assign((data: Static<Schema>) => ({ name: event, data }), { event, schema });
}

/**
 * Reacts with a stored job: at least once, so `run` must be idempotent. `name` is kept in the jobs table and must
 * never change.
 */
export function on<Name extends string, Schema extends TObject>(
  type: EventType<Name, Schema>,
  name: string,
  run: (app: App, data: Static<Schema>) => Promise<void>,
  queue: Queue = 'default',
): Subscription {
  return { kind: 'durable', event: type.event, name, queue, run: (app, data) => run(app, data as Static<Schema>) };
}

/**
 * Like `on`, for work that is cheaper done for many events at once: `run` gets all that were claimed together, and the
 * fetch budget of each, which a batch does not draw on. When it throws, it is called again for each event alone, so that
 * one bad event does not hold up the others.
 */
export function onBatch<Name extends string, Schema extends TObject>(
  type: EventType<Name, Schema>,
  name: string,
  run: (app: App, data: readonly Static<Schema>[], budgets: readonly (FetchBudgetId | null)[]) => Promise<void>,
  queue: Queue = 'default',
): Subscription {
  return {
    kind: 'durable',
    event: type.event,
    name,
    queue,
    run: async (app, data) => run(app, [data as Static<Schema>], [(await app.fetchBudget?.store()) ?? null]),
    runBatch: (app, data, budgets) => run(app, data as Static<Schema>[], budgets),
  };
}

/** Reacts right after the commit and at most once: streaming, dropping cache entries that also expire. */
export function whenLive<Name extends string, Schema extends TObject>(
  type: EventType<Name, Schema>,
  name: string,
  run: (app: App, data: Static<Schema>) => Promise<void> | void,
): Subscription {
  return {
    kind: 'live',
    event: type.event,
    name,
    queue: 'default',
    run: (app, data) => run(app, data as Static<Schema>),
  };
}

/** Takes part in the transaction that emits the event: bookkeeping of a higher domain that must hold at once. Keep it short. */
export function within<Name extends string, Schema extends TObject>(
  type: EventType<Name, Schema>,
  name: string,
  run: (write: Write, app: App, data: Static<Schema>) => Promise<void>,
): Subscription {
  return withinBatch(type, name, async (write, app, data) => {
    for (const each of data) await run(write, app, each);
  });
}

/** Like `within`, for what is cheaper done for all events of the kind that a transaction emits: `run` gets them together. */
export function withinBatch<Name extends string, Schema extends TObject>(
  type: EventType<Name, Schema>,
  name: string,
  run: (write: Write, app: App, data: readonly Static<Schema>[]) => Promise<void>,
): Subscription {
  return {
    kind: 'within',
    event: type.event,
    name,
    queue: 'default',
    run: () => {},
    takePart: (write, app, data) => run(write, app, data as Static<Schema>[]),
  };
}

/** A stored piece of work that no event causes: something for later, or one step of a longer job. */
export interface JobType<Name extends string, Schema extends TObject> {
  (data: Static<Schema>, options?: JobOptions): JobRequest;
  readonly subscription: Subscription;
  readonly job: Name;
  readonly schema: Schema;
}

export interface JobOptions {
  /** Not before this moment. */
  readonly runAt?: Date;
  /**
   * Jobs of one key run one at a time, in the order stored, those that failed before those stored after them. One that is
   * delayed (`runAt`) takes its place only when its time has come: what is due does not wait for it.
   */
  readonly key?: string;
  /** Host that the job waits for. Jobs of one host cannot take the places of all others. */
  readonly host?: string;
  /** The fetch budget that the job draws on; that of the App which stores it when not named. */
  readonly fetchBudgetId?: FetchBudgetId | null;
}

export interface JobRequest extends JobOptions {
  readonly name: string;
  readonly queue: Queue;
  readonly data: unknown;
}

/** Declares a job; list its `subscription` in the domain's `subscriptions`, store one with `enqueue` inside `write`. */
export function defineJob<Name extends string, Schema extends TObject>(
  name: Name,
  schema: Schema,
  run: (app: App, data: Static<Schema>) => Promise<void>,
  queue: Queue = 'default',
): JobType<Name, Schema> {
  const subscription: Subscription = {
    kind: 'durable',
    event: `job:${name}`,
    name,
    queue,
    run: (app, data) => run(app, data as Static<Schema>),
  };
  return Object.assign((data: Static<Schema>, options: JobOptions = {}) => ({ ...options, name, queue, data }), {
    subscription,
    job: name,
    schema,
  });
}

/** Something done again and again by the clock; each slot runs once however many processes there are. */
export interface Schedule {
  readonly name: string;
  /** Cron pattern in UTC. */
  readonly pattern: string;
  run(app: App): Promise<void>;
}
