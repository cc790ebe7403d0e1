import type { QueryResult } from 'pg';
import type { InTransaction } from './subscriptions.ts';
import type { DomainEvent } from './define-event.ts';
import type { JobRequest } from '../work/job-request.ts';
import { rootApp, type App } from '../app.ts';
import { announceCommit, storeJobs, type StoredJobs } from '../work/store-jobs.ts';
import type { DatabaseClient, Statement } from '../wire/database-client.ts';
import { runRepeatably, takeClient } from '../wire/pool.ts';
import { CommitUnknown } from '../wire/database-unavailable.ts';
import { withSingleConnection } from '../wire/single-connection.ts';
import type { Transaction } from './open-transaction.ts';
import { reportUnknownCommit } from './publish.ts';
import { inChildSpan } from '../tracing/span.ts';
import { buildOn } from '../database/query-builder.ts';
import { transactionStart, type StartOptions } from './transaction-start.ts';

export type { Transaction } from './open-transaction.ts';

/** A statement that the commit sends, and what its rows announce. */
interface LastStatement extends Statement {
  readonly toEvents: (rows: readonly unknown[]) => readonly DomainEvent[];
}

/** Runs `work` in one transaction. The only way to change data; `groupCommit` lets several requests share one. */
export async function transaction<Result>(
  app: App,
  work: (tx: Transaction) => Promise<Result>,
  options: StartOptions = {},
): Promise<Result> {
  const { value, events, stored } = await inChildSpan(span, async () => {
    const client = await takeClient(rootApp(app).pool);
    return runRepeatably(client, () => runOn(client, app, work, options)).finally(() => client.release());
  });
  announceCommit(app, events, stored);
  return value;
}

const span = { name: 'transaction', kind: 'internal' } as const;

/** Runs `work` in a transaction on a connection. Returns its result, and what is to be announced. */
async function runOn<Result>(
  client: DatabaseClient,
  app: App,
  work: (tx: Transaction) => Promise<Result>,
  options: StartOptions,
): Promise<{ value: Result; events: readonly DomainEvent[]; stored: StoredJobs | undefined }> {
  const events: DomainEvent[] = [];
  const jobs: JobRequest[] = [];
  const last: LastStatement[] = [];
  let stored: StoredJobs | undefined;
  let hasEnded = false;
  const run = async (tx: Transaction): Promise<Result> => {
    const value = await work(tx);
    await react(app, tx, events);
    stored = await storeJobs(app, tx, events, jobs);
    return value;
  };
  let value: Result;
  let results: readonly QueryResult[];
  try {
    client.begin(transactionStart('read write', options));
    const db = buildOn(client, () => {
      // The connection may serve another transaction by now.
      if (hasEnded) throw new Error('a statement came after the end of its transaction');
      app.queries.count += 1;
    });
    const tx: Transaction = {
      db,
      emit: (event) => events.push(event),
      enqueue: (job) => jobs.push(job),
      sendWithCommit: (query, toEvent) => {
        const { sql: text, parameters: values } = query.compile(db);
        last.push({ text, values, toEvents: (rows) => (toEvent === undefined ? [] : (rows as never[]).map(toEvent)) });
      },
    };
    try {
      value = await (app.config.validateResponses ? withSingleConnection(() => run(tx)) : run(tx));
    } catch (error) {
      hasEnded = true;
      await client.rollback();
      throw error;
    }
    hasEnded = true;
    app.queries.count += last.length;
    results = await client.commit(last);
  } catch (error) {
    stored?.cancel(error);
    if (error instanceof CommitUnknown) reportUnknownCommit(app);
    throw error;
  }
  for (const [at, { toEvents }] of last.entries())
    for (const event of toEvents(results[at]?.rows ?? [])) events.push(withoutReactions(app, event));
  return { value, events, stored };
}

/**
 * Runs the `inTransaction` reactions, each once for all events of its kinds; events that they emit get the same reactions.
 * Those that lock rows of contended tables follow. Throws if one of these emits an event that has reactions here.
 */
async function react(app: App, tx: Transaction, events: readonly DomainEvent[]): Promise<void> {
  const { subscriptions } = app;
  let handledCount = 0;
  while (handledCount < events.length) {
    const newEvents = events.slice(handledCount);
    handledCount = events.length;
    const reactions = [...new Set(newEvents.flatMap(({ name }) => subscriptions.inTransaction(name)))];
    const run = (reaction: InTransaction): Promise<void> => reaction.runBatch(tx, app, dataFor(reaction, newEvents));
    for (const reaction of reactions) if (reaction.locks === 'other rows') await run(reaction);
    await runConcurrently(reactions.filter(({ locks }) => locks === 'nothing').map((each) => () => run(each)));
  }
  for (const reaction of subscriptions.contended) {
    const data = dataFor(reaction, events);
    if (data.length > 0) await reaction.runBatch(tx, app, data);
  }
  const late = events.slice(handledCount).find(({ name }) => subscriptions.inTransaction(name).length > 0);
  if (late !== undefined) throw new Error(`${late.name} was emitted by a reaction after those to it had run`);
}

/** Returns the event, or throws if something would have reacted to it in the transaction. */
function withoutReactions({ subscriptions }: App, event: DomainEvent): DomainEvent {
  if (subscriptions.inTransaction(event.name).length + subscriptions.jobs(event.name).length === 0) return event;
  throw new Error(`${event.name} was emitted after the commit, and has reactions before it`);
}

/** PostgreSQL refuses each statement after one that failed. */
const transactionAborted = '25P02';

/** Runs parts of a transaction at the same time. Waits for all, and throws the error that made the others fail. */
async function runConcurrently(parts: readonly (() => Promise<void>)[]): Promise<void> {
  const results = await Promise.allSettled(parts.map((part) => part()));
  const errors = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !isTransactionAborted(error)) ?? errors[0];
}

const isTransactionAborted = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === transactionAborted;

const dataFor = (reaction: InTransaction, events: readonly DomainEvent[]): unknown[] =>
  events.filter(({ name }) => reaction.events.includes(name)).map(({ data }) => data);
