import type { Static } from 'typebox';
import type { App } from '../app.ts';
import type { Transaction } from '../database/transaction.ts';
import type { FetchBudgetId } from '../ids.ts';
import type { Queue } from '../jobs/queues.ts';
import type { EventKind } from './define-event.ts';

type DataOf<Types extends readonly EventKind[]> = Static<Types[number]['schema']>;

/** Handles one event, or all events of one transaction (or claim) together. */
type Handler<Context extends readonly unknown[], Data> =
  | { readonly run: (...args: [...Context, data: Data]) => Promise<void> | void }
  | { readonly runBatch: (...args: [...Context, data: readonly Data[]]) => Promise<void> | void };

/** A reaction in the transaction that emits the events. */
export interface BeforeCommit {
  readonly kind: 'before_commit';
  readonly events: readonly string[];
  /** Runs after all others. */
  readonly isLast: boolean;
  /** Runs at the same time as other such reactions. */
  readonly isConcurrent: boolean;
  readonly runBatch: (tx: Transaction, app: App, data: readonly unknown[]) => Promise<void>;
}

/** A best-effort reaction right after the commit. */
export interface AfterCommit {
  readonly kind: 'after_commit';
  readonly events: readonly string[];
  readonly runBatch: (app: App, data: readonly unknown[]) => Promise<void>;
}

/** Runs the stored jobs of one name, which events cause (`on`) or code enqueues (`defineJob`). */
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

/** A best-effort reaction in every process, after its caches. */
export interface EveryProcess {
  readonly kind: 'every_process';
  readonly events: readonly string[];
  readonly runBatch: (app: App, data: readonly unknown[]) => void;
}

export type Subscription = BeforeCommit | AfterCommit | EveryProcess | JobHandler;

/**
 * Reacts in the transaction that emits the events, for bookkeeping of a higher domain that must hold at once. It may emit
 * further events. An error rolls everything back. `isLast`: runs after all others, for statements that lock contended
 * rows. It may emit events for caches, jobs and `afterCommit`, but none with a `beforeCommit` reaction. `isConcurrent`: may
 * run at the same time as other such reactions, whose statements share round trips; for those that neither lock contended
 * rows nor depend on what other reactions write.
 */
export function beforeCommit<const Types extends readonly EventKind[]>(
  types: Types,
  handler: Handler<[tx: Transaction, app: App], DataOf<Types>> & {
    readonly isLast?: boolean;
    readonly isConcurrent?: boolean;
  },
): BeforeCommit {
  return {
    kind: 'before_commit',
    events: namesOf(types),
    isLast: handler.isLast ?? false,
    isConcurrent: handler.isConcurrent ?? false,
    runBatch: async (tx, app, data) => {
      if ('runBatch' in handler) await handler.runBatch(tx, app, data as DataOf<Types>[]);
      else for (const each of data) await handler.run(tx, app, each as DataOf<Types>);
    },
  };
}

/**
 * Reacts with a stored job: at least once, so the handler must be idempotent. With `runBatch`, events that were
 * claimed together are handled together. `when`: a named function that decides from the data of the event alone whether
 * it needs a job; for others nothing is stored. `name` is stored in the jobs table, also among `subscribers`: rename it by
 * migration only.
 */
export function on<const Types extends readonly EventKind[]>(
  types: Types,
  {
    name,
    queue = 'default',
    when,
    ...handler
  }: {
    readonly name: string;
    readonly queue?: Queue;
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
 * Reacts right after the commit, in this process only and at most once: it is lost in a crash, and an error is only
 * logged. Caches need no reaction: they declare their events (`defineCache`).
 */
export function afterCommit<const Types extends readonly EventKind[]>(
  types: Types,
  handler: Handler<[app: App], DataOf<Types>>,
): AfterCommit {
  return {
    kind: 'after_commit',
    events: namesOf(types),
    runBatch: async (app, data) => {
      if ('runBatch' in handler) await handler.runBatch(app, data as DataOf<Types>[]);
      else for (const each of data) await handler.run(app, each as DataOf<Types>);
    },
  };
}

/**
 * Reacts in every process of the instance, right after the commit and after the caches of the process, at most once. For
 * what a process holds in memory, such as the connections of clients. The events go over the bus, also from commands that
 * load only some domains. `run` and `runBatch` must not throw and start what takes time on their own.
 */
export function everyProcess<const Types extends readonly EventKind[]>(
  types: Types,
  handler:
    | { readonly run: (app: App, data: DataOf<Types>) => void }
    | { readonly runBatch: (app: App, data: readonly DataOf<Types>[]) => void },
): EveryProcess {
  return {
    kind: 'every_process',
    events: namesOf(types),
    runBatch: (app, data) => {
      if ('runBatch' in handler) handler.runBatch(app, data as DataOf<Types>[]);
      else for (const each of data) handler.run(app, each as DataOf<Types>);
    },
  };
}

const namesOf = (types: readonly EventKind[]): string[] => types.map(({ event }) => event);

/** Subscriptions, indexed by event. */
export interface SubscriptionIndex {
  beforeCommit(event: string): readonly BeforeCommit[];
  /** The reactions with `isLast`, in the order of declaration. */
  readonly lastBeforeCommit: readonly BeforeCommit[];
  afterCommit(event: string): readonly AfterCommit[];
  everyProcess(event: string): readonly EveryProcess[];
  jobs(event: string): readonly JobHandler[];
  /** The handler of the stored jobs of this name. */
  job(name: string): JobHandler | undefined;
  allJobs(): readonly JobHandler[];
}

export function indexSubscriptions(subscriptions: readonly Subscription[]): SubscriptionIndex {
  const beforeCommits = new Map<string, BeforeCommit[]>();
  const afterCommits = new Map<string, AfterCommit[]>();
  const everyProcesses = new Map<string, EveryProcess[]>();
  const jobs = new Map<string, JobHandler[]>();
  const named = new Map<string, JobHandler>();
  for (const subscription of subscriptions) {
    if (subscription.kind === 'job') {
      if (named.has(subscription.name)) throw new Error(`two jobs are named ${subscription.name}`);
      named.set(subscription.name, subscription);
    }
    for (const event of subscription.events) {
      if (subscription.kind === 'job') append(jobs, event, subscription);
      else if (subscription.kind === 'before_commit') append(beforeCommits, event, subscription);
      else if (subscription.kind === 'after_commit') append(afterCommits, event, subscription);
      else append(everyProcesses, event, subscription);
    }
  }
  return {
    beforeCommit: (event) => beforeCommits.get(event) ?? [],
    lastBeforeCommit: subscriptions.filter(isLastBeforeCommit),
    afterCommit: (event) => afterCommits.get(event) ?? [],
    everyProcess: (event) => everyProcesses.get(event) ?? [],
    jobs: (event) => jobs.get(event) ?? [],
    job: (name) => named.get(name),
    allJobs: () => [...named.values()],
  };
}

const isLastBeforeCommit = (subscription: Subscription): subscription is BeforeCommit =>
  subscription.kind === 'before_commit' && subscription.isLast;

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
