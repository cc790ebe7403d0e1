import type { App } from '../app.ts';
import type { Transaction } from './open-transaction.ts';
import type { FetchBudgetId } from '../ids.ts';
import type { Queue } from '../work/queues.ts';

/**
 * Tables whose rows many transactions lock, in the order in which all of them do, so that none waits for the other in a
 * circle. Reactions that lock them run after all others, in this order.
 */
export const contendedTables = ['account_stats', 'list_feed_states', 'audit_log', 'webhooks'] as const;
type ContendedTable = (typeof contendedTables)[number];

/**
 * What a reaction locks: the name of a contended table, `other rows` (the default), or `nothing`. A reaction that locks
 * nothing, and on whose rows no other reaction depends, runs at the same time as others of its kind and shares their round
 * trips.
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

/** A cache of any kind, as `caches` of a domain lists it. */
export interface AnyCache {
  readonly name: string;
  /** Names of the events that it reacts to. */
  readonly events: readonly string[];
  react(app: App, event: string, data: unknown): void;
  clear(app: App): void;
  size(app: App): number;
}

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
