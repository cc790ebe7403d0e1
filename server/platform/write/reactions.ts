import type { Static } from 'typebox';
import type { App } from '../app.ts';
import type { Transaction } from './open-transaction.ts';
import type { FetchBudgetId } from '../ids.ts';
import type { Queue } from '../work/queues.ts';
import type { EventKind } from './define-event.ts';
import {
  contendedTables,
  type AnyCache,
  type InTransaction,
  type JobHandler,
  type Locks,
  type Publish,
  type Subscription,
  type SubscriptionIndex,
} from './subscriptions.ts';

type DataOf<Types extends readonly EventKind[]> = Static<Types[number]['schema']>;

/** Handles one event, or all events of one transaction (or claim) together. */
type Handler<Context extends readonly unknown[], Data> =
  | { readonly run: (...args: [...Context, data: Data]) => Promise<void> | void }
  | { readonly runBatch: (...args: [...Context, data: readonly Data[]]) => Promise<void> | void };

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
