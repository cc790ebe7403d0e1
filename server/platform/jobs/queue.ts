import { sql } from 'kysely';
import type { App } from '../app.ts';
import type { JobId } from '../ids.ts';
import { workerOf, type Queue } from './events.ts';
import type { Worker } from './worker.ts';

interface ClaimedJob {
  readonly id: JobId;
  readonly name: string;
  readonly data: unknown;
  readonly attempts: number;
}

/** How many jobs of a queue a process claims at once, and how many of them it runs side by side. */
const sizes: Record<Queue, { batch: number; concurrency: number }> = {
  default: { batch: 100, concurrency: 8 },
  feeds: { batch: 20, concurrency: 2 },
  slow: { batch: 8, concurrency: 8 },
};

const leaseSeconds = 300;
/** More than claiming takes, and than the clocks of two machines differ. */
const claimSeconds = 2;
/** About two days with the delays of `retryDelay`. */
const mostAttempts = 16;

/** The workers of the job table, one a queue. */
export const queueWorkers: readonly Worker[] = (Object.keys(sizes) as Queue[]).map((queue) => ({
  name: workerOf(queue),
  run: (app) => runBatch(app, queue),
}));

/**
 * Seconds to wait before the next try, after so many; grows with the fourth power, with jitter so that what failed
 * together does not come back together.
 */
export function retryDelay(attempts: number): number {
  return Math.min(attempts ** 4 + 15 + Math.random() * 10 * attempts, 6 * 3600);
}

async function runBatch(app: App, queue: Queue): Promise<number> {
  const { batch, concurrency } = sizes[queue];
  const jobs = await claim(app, queue, batch);
  if (jobs.length === 0) return 0;
  const done: JobId[] = [];
  const waiting = await runTogether(app, jobs, done);
  const runNext = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      try {
        await runJob(app, job);
        done.push(job.id);
      } catch (error) {
        await fail(app, job, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, waiting.length) }, runNext));
  if (done.length > 0) await sql`delete from jobs where id = any(${done}::bigint[])`.execute(app.db);
  return jobs.length;
}

/** Runs what can be done for many jobs at once; gives the jobs that are left to be run one by one. */
async function runTogether(app: App, jobs: readonly ClaimedJob[], done: JobId[]): Promise<ClaimedJob[]> {
  const left: ClaimedJob[] = [];
  for (const [name, group] of Map.groupBy(jobs, (job) => job.name)) {
    const subscription = app.subscriptions.named(name);
    if (group.length === 1 || subscription?.runBatch === undefined) {
      left.push(...group);
      continue;
    }
    try {
      await subscription.runBatch(
        app,
        group.map(({ data }) => data),
      );
      for (const { id } of group) done.push(id);
    } catch (error) {
      app.log.debug({ err: error, job: name }, 'jobs that were run together failed; they are run one by one');
      left.push(...group);
    }
  }
  return left;
}

async function claim(app: App, queue: Queue, batch: number): Promise<ClaimedJob[]> {
  const now = app.clock.now();
  const lease = new Date(now.getTime() + leaseSeconds * 1000);
  // What is about to come due counts as due: another process, a moment later, could take it without seeing this lease.
  const soon = new Date(now.getTime() + claimSeconds * 1000);
  const { rows } = await sql<ClaimedJob>`
    update jobs set leased_until = ${lease}, attempts = attempts + 1
    where id = any(array(
      select id from jobs job
      where queue = ${queue} and exhausted_at is null and run_at <= ${now}
        and (leased_until is null or leased_until < ${now})
        and (key is null or not exists (
          select 1 from jobs other where other.key = job.key and other.id <> job.id and other.exhausted_at is null
            and (other.leased_until >= ${now}
              or other.id < job.id and (other.run_at <= ${soon} or other.attempts > 0))))
      order by run_at, id limit ${batch} for update skip locked))
    returning id, name, data, attempts`.execute(app.db);
  return rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
}

async function runJob(app: App, job: ClaimedJob): Promise<void> {
  const subscription = app.subscriptions.named(job.name);
  if (subscription === undefined) throw new Error(`no subscription is named ${job.name}`);
  await subscription.run(app, job.data);
}

async function fail(app: App, job: ClaimedJob, error: unknown): Promise<void> {
  const now = app.clock.now();
  const exhausted = job.attempts >= mostAttempts;
  const again = new Date(now.getTime() + retryDelay(job.attempts) * 1000);
  app.reportJobFailure(job.name, error);
  await sql`update jobs set leased_until = null, run_at = ${again}, last_error = ${String(error).slice(0, 1000)},
      exhausted_at = ${exhausted ? now : null}
    where id = ${job.id}`.execute(app.db);
}
