import type { Transaction } from 'kysely';
import type { App } from '../app.ts';
import type { DomainEvent, JobRequest } from '../jobs/events.ts';
import { runLive, storeJobs } from '../jobs/store.ts';
import type { Tables } from './tables.ts';

/** What a write needs: the open transaction, and ways to say what happened in it and what is to be done later. */
export interface Write {
  readonly db: Transaction<Tables>;
  /** Says what happened. Reaches its subscribers if, and only if, the transaction commits. */
  readonly emit: (event: DomainEvent) => void;
  /** Stores a job with the transaction. */
  readonly enqueue: (job: JobRequest) => void;
  /** Runs right after the commit in this process, at most once. */
  readonly afterCommit: (run: () => void) => void;
}

/** Runs `work` in one transaction: the only way to change anything. */
export async function write<Result>(app: App, work: (write: Write) => Promise<Result>): Promise<Result> {
  const events: DomainEvent[] = [];
  const jobs: JobRequest[] = [];
  const callbacks: (() => void)[] = [];
  const result = await app.db.transaction().execute(async (db) => {
    const write: Write = {
      db,
      emit: (event) => events.push(event),
      enqueue: (job) => jobs.push(job),
      afterCommit: (run) => callbacks.push(run),
    };
    const value = await work(write);
    // Those who take part may say that more happened: the list grows while it is walked.
    for (const event of events) {
      for (const subscription of app.subscriptions.within(event.name)) await subscription.run(app, event.data, write);
    }
    await storeJobs(app, db, events, jobs);
    return value;
  });
  for (const run of callbacks) run();
  runLive(app, events, jobs.length);
  return result;
}
