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
 * Runs the `beforeCommit` reactions, each once for all events of its kinds, then those that run last. They may emit
 * further events, which get the same reactions.
 */
async function reactBeforeCommit(app: App, tx: Transaction, events: readonly DomainEvent[]): Promise<void> {
  for (let handled = 0; handled < events.length;) {
    const fresh = events.slice(handled);
    handled = events.length;
    for (const reaction of reactionsTo(app, fresh, false)) await reaction.runBatch(tx, app, dataFor(reaction, fresh));
  }
  for (const reaction of reactionsTo(app, events, true)) await reaction.runBatch(tx, app, dataFor(reaction, events));
}

function reactionsTo(app: App, events: readonly DomainEvent[], isLast: boolean): ReadonlySet<BeforeCommit> {
  const names = new Set(events.map(({ name }) => name));
  return new Set(
    [...names].flatMap((name) => app.subscriptions.beforeCommit(name).filter((reaction) => reaction.isLast === isLast)),
  );
}

const dataFor = (reaction: BeforeCommit, events: readonly DomainEvent[]): unknown[] =>
  events.filter(({ name }) => reaction.events.includes(name)).map(({ data }) => data);
