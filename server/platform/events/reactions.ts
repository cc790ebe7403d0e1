import type { Static } from 'typebox';
import type { App } from '../app.ts';
import type { AnyCache } from '../caching/cache.ts';
import type { Transaction } from '../database/transaction.ts';
import type { FetchBudgetId } from '../ids.ts';
import type { Queue } from '../jobs/queues.ts';
import type { EventKind } from './define-event.ts';

type DataOf<Types extends readonly EventKind[]> = Static<Types[number]['schema']>;

/** Handles one event, or all events of one transaction (or claim) together. */
type Handler<Context extends readonly unknown[], Data> =
  | { readonly run: (...args: [...Context, data: Data]) => Promise<void> | void }
  | { readonly runBatch: (...args: [...Context, data: readonly Data[]]) => Promise<void> | void };

/**
 * Tables whose rows many transactions lock, in the order in which all of them do, so that none waits for the other in a
 * circle. Reactions that lock them run after all others, in this order.
 */
export const contendedTables = ['account_stats', 'list_feed_states', 'audit_log', 'webhooks'] as const;
type ContendedTable = (typeof contendedTables)[number];

/**
 * What a reaction locks: rows of a contended table; nothing that others of the transaction lock or depend on, so that it
 * runs at the same time as other such reactions and shares their round trips; or, by default, other rows.
 */
export type Locks = ContendedTable | 'nothing' | 'other rows';

/** A reaction in the transaction that emits the events. */
export interface InTransaction {
  readonly kind: 'in_transaction';
  readonly events: readonly string[];
  readonly locks: Locks;
  readonly runBatch: (tx: Transaction, app: App, data: readonly unknown[]) => Promise<void>;
}

/** A best-effort reaction after the commit and the caches of the process. */
export interface Publish {
  readonly kind: 'publish';
  readonly events: readonly string[];
  /** Only in the process that committed. */
  readonly onlyHere: boolean;
  /** Returns what it has begun. */
  readonly runBatch: (app: App, data: readonly unknown[]) => readonly Promise<void>[];
}

/** Runs the stored jobs of one name, which events cause (`later`) or code enqueues (`defineJob`). */
export interface JobHandler {
  readonly kind: 'job';
  readonly events: readonly string[];
  readonly name: string;
  readonly queue: Queue;
  /** Whether an event needs a job at all. Its name is listed in docs/events.md. */
  readonly when?: ((data: unknown) => boolean) | undefined;
  readonly run: (app: App, data: unknown) => Promise<void>;
  /** Runs several jobs together, all or none; if it throws, each is run alone. `budgets`: the fetch budget of each. */
  readonly runBatch?: (app: App, data: readonly unknown[], budgets: readonly (FetchBudgetId | null)[]) => Promise<void>;
}

export type Subscription = InTransaction | Publish | JobHandler;

/**
 * Reacts in the transaction that emits the events, for bookkeeping of a higher domain that must hold at once. An error
 * rolls everything back. It may emit further events, which get the same reactions; one that locks rows of a contended
 * table may not emit events with a reaction of this kind.
 */
export function inTransaction<const Types extends readonly EventKind[]>(
  types: Types,
  handler: Handler<[tx: Transaction, app: App], DataOf<Types>> & { readonly locks?: Locks },
): InTransaction {
  return {
    kind: 'in_transaction',
    events: namesOf(types),
    locks: handler.locks ?? 'other rows',
    runBatch: async (tx, app, data) => {
      if ('runBatch' in handler) await handler.runBatch(tx, app, data as DataOf<Types>[]);
      else for (const each of data) await handler.run(tx, app, each as DataOf<Types>);
    },
  };
}

/**
 * Reacts with a stored job of a queue: at least once, so the handler must be idempotent. With `runBatch`, events that were
 * claimed together are handled together. `when`: a named function that decides from the data of the event alone whether
 * it needs a job; for others nothing is stored. `name` is stored in the jobs table, also among `subscribers`: rename it by
 * migration only.
 */
export function later<const Types extends readonly EventKind[]>(
  queue: Queue,
  types: Types,
  {
    name,
    when,
    ...handler
  }: {
    readonly name: string;
    readonly when?: (data: DataOf<Types>) => boolean;
  } & (
    | { readonly run: (app: App, data: DataOf<Types>) => Promise<void> }
    | {
        readonly runBatch: (
          app: App,
          data: readonly DataOf<Types>[],
          budgets: readonly (FetchBudgetId | null)[],
        ) => Promise<void>;
      }
  ),
): JobHandler {
  const job = {
    kind: 'job',
    events: namesOf(types),
    name,
    queue,
    when: when as JobHandler['when'],
  } as const;
  if ('run' in handler) return { ...job, run: (app, data) => handler.run(app, data as DataOf<Types>) };
  return {
    ...job,
    run: async (app, data) =>
      handler.runBatch(app, [data as DataOf<Types>], [(await app.fetchBudget?.store()) ?? null]),
    runBatch: (app, data, budgets) => handler.runBatch(app, data as DataOf<Types>[], budgets),
  };
}

/**
 * Reacts right after the commit and the caches of the process, in every process of the instance, at most once: it is lost
 * in a crash, and an error is only logged. For what a process holds in memory, such as the connections of clients. The
 * jobs that the commit stored wait a moment for what it returns. `onlyHere`: only in the process that committed, and
 * nothing waits. Caches need no reaction: they declare their events (`evictOn`).
 */
export function publish<const Types extends readonly EventKind[]>(
  types: Types,
  handler: Handler<[app: App], DataOf<Types>> & { readonly onlyHere?: boolean },
): Publish {
  return {
    kind: 'publish',
    events: namesOf(types),
    onlyHere: handler.onlyHere ?? false,
    runBatch: (app, data) => {
      const begun =
        'runBatch' in handler
          ? [handler.runBatch(app, data as DataOf<Types>[])]
          : data.map((each) => handler.run(app, each as DataOf<Types>));
      return begun.filter((each) => each !== undefined);
    },
  };
}

const namesOf = (types: readonly EventKind[]): string[] => types.map(({ event }) => event);

/** Subscriptions, indexed by event. */
export interface SubscriptionIndex {
  inTransaction(event: string): readonly InTransaction[];
  /** The reactions that lock rows of contended tables, in the order in which they run. */
  readonly contended: readonly InTransaction[];
  readonly caches: readonly AnyCache[];
  /** The caches that react to an event. */
  cachesOf(event: string): readonly AnyCache[];
  publish(event: string): readonly Publish[];
  jobs(event: string): readonly JobHandler[];
  /** The handler of the stored jobs of this name. */
  job(name: string): JobHandler | undefined;
  allJobs(): readonly JobHandler[];
}

/** Throws if two jobs or two caches have the same name. */
export function indexSubscriptions(
  subscriptions: readonly Subscription[],
  caches: readonly AnyCache[] = [],
): SubscriptionIndex {
  const inTransactions = subscriptions.filter(({ kind }) => kind === 'in_transaction') as InTransaction[];
  const handlers = subscriptions.filter(({ kind }) => kind === 'job') as JobHandler[];
  const named = mapByName('jobs', handlers);
  mapByName('caches', caches);
  const cachesByEvent = byEvent(caches);
  const reactions = byEvent(inTransactions);
  const published = byEvent(subscriptions.filter(({ kind }) => kind === 'publish') as Publish[]);
  const jobs = byEvent(handlers);
  return {
    inTransaction: (event) => reactions.get(event) ?? [],
    contended: contendedTables.flatMap((table) => inTransactions.filter(({ locks }) => locks === table)),
    caches,
    cachesOf: (event) => cachesByEvent.get(event) ?? [],
    publish: (event) => published.get(event) ?? [],
    jobs: (event) => jobs.get(event) ?? [],
    job: (name) => named.get(name),
    allJobs: () => [...named.values()],
  };
}

function mapByName<Named extends { readonly name: string }>(kind: string, all: readonly Named[]): Map<string, Named> {
  const named = new Map(all.map((each) => [each.name, each]));
  const repeated = all.find((each) => named.get(each.name) !== each);
  if (repeated !== undefined) throw new Error(`two ${kind} are named ${repeated.name}`);
  return named;
}

function byEvent<Reaction extends { readonly events: readonly string[] }>(
  reactions: readonly Reaction[],
): Map<string, Reaction[]> {
  const pairs = reactions.flatMap((reaction) => reaction.events.map((event) => ({ event, reaction })));
  return new Map(
    [...Map.groupBy(pairs, ({ event }) => event)].map(([event, group]) => [
      event,
      group.map(({ reaction }) => reaction),
    ]),
  );
}
