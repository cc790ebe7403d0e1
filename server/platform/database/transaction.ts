import type { BeforeCommit } from '../events/reactions.ts';
import type { DomainEvent } from '../events/define-event.ts';
import type { JobRequest } from '../jobs/define-job.ts';
import { sql, type RawBuilder, type Transaction as KyselyTransaction } from 'kysely';
import type { App } from '../app.ts';
import { announceCommit, storeJobs, type StoredJobs } from '../jobs/store-jobs.ts';
import { withConcurrentStatements } from './concurrent-statements.ts';
import { withSingleConnection } from './single-connection.ts';
import { fullDatabase } from './read-database.ts';
import type { Tables } from './tables.ts';

/** An open transaction, with the means to emit events and to store jobs. */
export interface Transaction {
  readonly db: KyselyTransaction<Tables>;
  /** Emits an event. Its reactions run if, and only if, the transaction commits. */
  readonly emit: (event: DomainEvent) => void;
  /** Stores a job in the transaction. */
  readonly enqueue: (job: JobRequest) => void;
  /** Emits events that are known only after the commit. They have neither stored reactions nor some before the commit. */
  readonly emitAfterCommit: (create: () => readonly DomainEvent[]) => void;
}

/**
 * Sends a statement together with the commit, so that it locks contended rows no longer than the commit takes. For the
 * last reactions, and for what no other statement depends on. `toEvent`: what a returned row announces.
 */
export async function sendWithCommit<Row>(
  tx: Transaction,
  query: RawBuilder<Row>,
  toEvent?: (row: Row) => DomainEvent,
): Promise<void> {
  const { rows } = await sql<Row>`/* sent with the commit */ ${query}`.execute(tx.db);
  if (toEvent !== undefined) tx.emitAfterCommit(() => rows.map(toEvent));
}

/** Runs `work` in one transaction. The only way to change data; `groupCommit` lets several requests share one. */
export async function transaction<Result>(app: App, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const events: DomainEvent[] = [];
  const jobs: JobRequest[] = [];
  const late: (() => readonly DomainEvent[])[] = [];
  const outcome: { stored?: StoredJobs } = {};
  const committing = fullDatabase(app)
    .transaction()
    .setAccessMode('read write')
    .execute(async (db) => {
      const tx: Transaction = {
        db,
        emit: (event) => events.push(event),
        enqueue: (job) => jobs.push(job),
        emitAfterCommit: (create) => late.push(create),
      };
      const finish = async (): Promise<Result> => {
        const value = await work(tx);
        await reactBeforeCommit(app, tx, events);
        outcome.stored = await storeJobs(app, db, events, jobs);
        return value;
      };
      return app.config.validateResponses ? withSingleConnection(finish) : finish();
    });
  const result = await committing.catch((error: unknown) => {
    outcome.stored?.cancel();
    throw error;
  });
  for (const event of late.flatMap((create) => create())) events.push(withoutReactions(app, event));
  if (outcome.stored !== undefined) announceCommit(app, events, outcome.stored);
  return result;
}

/**
 * Runs the `beforeCommit` reactions, each once for all events of its kinds; events that they emit get the same reactions.
 * Those with `isLast` follow, in the order in which the domains declare them, so that rows are always locked in the same
 * order. Throws if one of these emits an event that has reactions here.
 */
async function reactBeforeCommit(app: App, tx: Transaction, events: readonly DomainEvent[]): Promise<void> {
  let handledCount = 0;
  while (handledCount < events.length) {
    const newEvents = events.slice(handledCount);
    handledCount = events.length;
    const reactions = new Set(newEvents.flatMap(({ name }) => app.subscriptions.beforeCommit(name)));
    const others = [...reactions].filter(({ isLast }) => !isLast);
    for (const reaction of others)
      if (!reaction.isConcurrent) await reaction.runBatch(tx, app, dataFor(reaction, newEvents));
    await runConcurrently(
      tx,
      others
        .filter(({ isConcurrent }) => isConcurrent)
        .map((reaction) => (concurrent) => reaction.runBatch(concurrent, app, dataFor(reaction, newEvents))),
    );
  }
  for (const reaction of app.subscriptions.lastBeforeCommit) {
    const data = dataFor(reaction, events);
    if (data.length > 0) await reaction.runBatch(tx, app, data);
  }
  const late = events.slice(handledCount).find(({ name }) => app.subscriptions.beforeCommit(name).length > 0);
  if (late !== undefined) throw new Error(`${late.name} was emitted by a last reaction, after the reactions to it`);
}

/** Returns the event, or throws if something would have reacted to it in the transaction. */
function withoutReactions({ subscriptions }: App, event: DomainEvent): DomainEvent {
  if (subscriptions.beforeCommit(event.name).length + subscriptions.jobs(event.name).length === 0) return event;
  throw new Error(`${event.name} was emitted after the commit, and has reactions before it`);
}

/** PostgreSQL refuses each statement after one that failed. */
const transactionAborted = '25P02';

/** Runs parts of a transaction at the same time. Waits for all, and throws the error that made the others fail. */
async function runConcurrently(tx: Transaction, parts: readonly ((tx: Transaction) => Promise<void>)[]): Promise<void> {
  if (parts.length <= 1) {
    await parts[0]?.(tx);
    return;
  }
  const results = await withConcurrentStatements(tx.db, (db) =>
    Promise.allSettled(parts.map((part) => part({ ...tx, db }))),
  );
  const errors = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !isTransactionAborted(error)) ?? errors[0];
}

const isTransactionAborted = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === transactionAborted;

const dataFor = (reaction: BeforeCommit, events: readonly DomainEvent[]): unknown[] =>
  events.filter(({ name }) => reaction.events.includes(name)).map(({ data }) => data);
