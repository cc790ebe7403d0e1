import type { BeforeCommit } from '../events/reactions.ts';
import type { DomainEvent } from '../events/define-event.ts';
import type { JobRequest } from '../jobs/define-job.ts';
import type { Transaction as KyselyTransaction } from 'kysely';
import type { App } from '../app.ts';
import { announceCommit, storeJobs } from '../jobs/store-jobs.ts';
import { withSingleConnection } from './single-connection.ts';
import { fullDatabase } from './read-database.ts';
import type { Tables } from './tables.ts';

/** What a write needs: the open transaction, and ways to say what happened in it and what is to be done later. */
export interface Transaction {
  readonly db: KyselyTransaction<Tables>;
  /** Says what happened. Reaches its subscribers if, and only if, the transaction commits. */
  readonly emit: (event: DomainEvent) => void;
  /** Stores a job with the transaction. */
  readonly enqueue: (job: JobRequest) => void;
  /** Takes part at the very end of the transaction, for what locks rows that many others want. It emits nothing. */
  readonly beforeCommit: (run: () => Promise<void>) => void;
  /** Runs right after the commit in this process, at most once. */
  readonly afterCommit: (run: () => void) => void;
}

/** Runs `work` in one transaction: the only way to change anything; `defineCrowdWrite` is the same for crowds. */
export async function transaction<Result>(app: App, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const events: DomainEvent[] = [];
  const jobs: JobRequest[] = [];
  const afterCommitCallbacks: (() => void)[] = [];
  const beforeCommitCallbacks: (() => Promise<void>)[] = [];
  const result = await fullDatabase(app)
    .transaction()
    .setAccessMode('read write')
    .execute(async (db) => {
      const tx: Transaction = {
        db,
        emit: (event) => events.push(event),
        enqueue: (job) => jobs.push(job),
        beforeCommit: (run) => beforeCommitCallbacks.push(run),
        afterCommit: (run) => afterCommitCallbacks.push(run),
      };
      const finish = async (): Promise<Result> => {
        const value = await work(tx);
        await reactBeforeCommit(app, tx, events);
        for (const run of beforeCommitCallbacks) await run();
        await storeJobs(app, db, events, jobs);
        return value;
      };
      return app.config.validateResponses ? withSingleConnection(finish) : finish();
    });
  for (const run of afterCommitCallbacks) run();
  announceCommit(app, events, jobs);
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
    for (const reaction of reactions)
      if (!reaction.isLast) await reaction.runBatch(tx, app, dataFor(reaction, newEvents));
  }
  for (const reaction of app.subscriptions.lastBeforeCommit) {
    const data = dataFor(reaction, events);
    if (data.length > 0) await reaction.runBatch(tx, app, data);
  }
  const late = events.slice(handledCount).find(({ name }) => app.subscriptions.beforeCommit(name).length > 0);
  if (late !== undefined) throw new Error(`${late.name} was emitted by a last reaction, after the reactions to it`);
}

const dataFor = (reaction: BeforeCommit, events: readonly DomainEvent[]): unknown[] =>
  events.filter(({ name }) => reaction.events.includes(name)).map(({ data }) => data);
