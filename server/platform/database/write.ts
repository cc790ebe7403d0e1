import type { Transaction } from 'kysely';
import type { App } from '../app.ts';
import type { DomainEvent, JobRequest } from '../jobs/events.ts';
import { runLive, storeJobs } from '../jobs/store.ts';
import { holdingConnection } from './one-connection.ts';
import { fullDatabase } from './read-database.ts';
import type { Tables } from './tables.ts';

/** What a write needs: the open transaction, and ways to say what happened in it and what is to be done later. */
export interface Write {
  readonly db: Transaction<Tables>;
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
export async function write<Result>(app: App, work: (write: Write) => Promise<Result>): Promise<Result> {
  const events: DomainEvent[] = [];
  const jobs: JobRequest[] = [];
  const callbacks: (() => void)[] = [];
  const last: (() => Promise<void>)[] = [];
  const result = await fullDatabase(app)
    .transaction()
    .setAccessMode('read write')
    .execute(async (db) => {
      const write: Write = {
        db,
        emit: (event) => events.push(event),
        enqueue: (job) => jobs.push(job),
        beforeCommit: (run) => last.push(run),
        afterCommit: (run) => callbacks.push(run),
      };
      const finish = async (): Promise<Result> => {
        const value = await work(write);
        await takePart(app, write, events);
        for (const run of last) await run();
        await storeJobs(app, db, events, jobs);
        return value;
      };
      return app.config.checkAnswers ? holdingConnection(finish) : finish();
    });
  for (const run of callbacks) run();
  runLive(app, events, jobs);
  return result;
}

/**
 * Lets subscribers take part, each once for all events of its kind. They may say that more happened: the list grows
 * meanwhile.
 */
async function takePart(app: App, write: Write, events: readonly DomainEvent[]): Promise<void> {
  for (let at = 0; at < events.length;) {
    const fresh = Map.groupBy(events.slice(at), ({ name }) => name);
    at = events.length;
    for (const [name, same] of fresh) {
      const data = same.map((event) => event.data);
      for (const subscription of app.subscriptions.within(name)) await subscription.takePart?.(write, app, data);
    }
  }
}
