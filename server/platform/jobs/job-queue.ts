import { queues, type Queue, workerOf } from './queues.ts';
import type { JobHandler } from '../events/reactions.ts';
import { sql } from 'kysely';
import type { App } from '../app.ts';
import { writeStatement } from '../database/write-statement.ts';
import { FetchBudget, withFetchBudget } from '../outgoing/fetch-budget.ts';
import type { FetchBudgetId, JobId } from '../ids.ts';
import { createClaimWorker, type WorkSource } from './claim-loop.ts';
import type { LaneLimits, Task } from './lanes.ts';
import { jobResults } from './job-results.ts';
import { leaseHolder } from './lease-holder.ts';
import { errorText, isStillLeased, leaseRows, type Lease } from './leases.ts';
import type { Worker } from './worker-loop.ts';

interface ClaimedJob extends Lease {
  readonly id: JobId;
  readonly name: string;
  readonly data: unknown;
  readonly host: string | null;
  /** Has a key, so that jobs of the same key may wait for it. */
  readonly isKeyed: boolean;
  readonly fetchBudgetId: FetchBudgetId | null;
}

/** `released`: it was not started, and does not count as an attempt. */
type JobOutcome =
  | { readonly kind: 'done' | 'released'; readonly job: ClaimedJob }
  | { readonly kind: 'failed'; readonly job: ClaimedJob; readonly error: unknown };

const localLimits = { reservedLanes: 0, rowsPerLane: 1, slowAfterMs: 1_000 };
/** Limits of jobs that mostly wait for other hosts. */
const remoteLimits: LaneLimits = { ...localLimits, fastLanes: 16, slowLanes: 256, batchSize: 16, slowAfterMs: 500 };

const queueLimits: Record<Queue, LaneLimits> = {
  default: { ...localLimits, fastLanes: 8, slowLanes: 8, batchSize: 100, rowsPerLane: 13 },
  feeds: { ...localLimits, fastLanes: 2, slowLanes: 2, batchSize: 20, rowsPerLane: 10 },
  mail: { ...localLimits, fastLanes: 8, slowLanes: 32, batchSize: 8 },
  bulk_mail: { ...localLimits, fastLanes: 2, slowLanes: 2, batchSize: 4 },
  media: { ...localLimits, fastLanes: 2, slowLanes: 6, batchSize: 2 },
  cards: remoteLimits,
  remote: remoteLimits,
  push: remoteLimits,
  webhooks: remoteLimits,
  background: { ...localLimits, fastLanes: 4, slowLanes: 4, batchSize: 4 },
};

const leaseSeconds = 300;
/** Longer than a claim takes, and than clocks of machines differ. */
const claimMarginSeconds = 2;
/** About two days, with the delays of `retryDelaySeconds`. */
const maxAttempts = 16;

/** The workers of stored jobs, one per queue. */
export const queueWorkers: readonly Worker[] = queues.map((queue) => createClaimWorker(createSource(queue)));

/**
 * Returns the delay before the next attempt. It grows with the fourth power of the attempts, with jitter so that jobs
 * that failed together are not retried together.
 */
export function retryDelaySeconds(attempts: number): number {
  return Math.min(attempts ** 4 + 15 + Math.random() * 10 * attempts, 6 * 3600);
}

/** Moves stored jobs to the current queues of their handlers, which a new release may have changed. */
export async function requeueJobs(app: App): Promise<void> {
  const jobs = app.subscriptions.allJobs();
  await writeStatement(
    app,
    sql`update jobs set queue = job.queue
    from unnest(${jobs.map(({ name }) => name)}::text[], ${jobs.map(({ queue }) => queue)}::text[]) as job(name, queue)
    where jobs.name = job.name and jobs.queue <> job.queue`,
  );
}

function createSource(queue: Queue): WorkSource<ClaimedJob, JobOutcome> {
  return {
    name: workerOf(queue),
    limits: queueLimits[queue],
    claim: (app, { maxRows, saturatedHosts }) => claimJobs(app, queue, maxRows, saturatedHosts),
    buildTasks,
    freesRows: ({ kind, job }) => kind === 'released' || job.isKeyed,
    recordOutcomes,
    async renewLeases(app, leases) {
      await writeStatement(
        app,
        sql`update jobs set leased_until = ${leaseEnd(app)} from (${leaseRows(leases)}) lease
        where ${isStillLeased('jobs')}`,
      );
    },
    async releaseLeases(db, holders) {
      await sql`update jobs set leased_until = null, lease_holder = null
        where queue = ${queue} and lease_holder = any(${[...holders]}::uuid[])`.execute(db);
    },
  };
}

const leaseEnd = (app: App): Date => new Date(app.clock.now().getTime() + leaseSeconds * 1000);

async function claimJobs(app: App, queue: Queue, limit: number, fullHosts: readonly string[]): Promise<ClaimedJob[]> {
  const now = app.clock.now();
  // Work that is almost due counts as due: another process could claim it a moment later, without seeing this lease.
  const dueBefore = new Date(now.getTime() + claimMarginSeconds * 1000);
  const { rows } = await writeStatement(
    app,
    sql<ClaimedJob>`
    update jobs set leased_until = ${leaseEnd(app)}, lease_holder = ${leaseHolder(app).id}, attempts = attempts + 1
    where id = any(array(
      select id from jobs job
      where queue = ${queue} and exhausted_at is null and run_at <= ${now}
        and (leased_until is null or leased_until < ${now})
        and (host is null or host <> all(${[...fullHosts]}::text[]))
        and (key is null or not exists (
          select 1 from jobs other where other.key = job.key and other.id <> job.id and other.exhausted_at is null
            and (other.leased_until >= ${now}
              or other.id < job.id and (other.run_at <= ${dueBefore} or other.attempts > 0))))
      order by run_at, id limit ${limit} for update skip locked))
    returning id, name, data, host, key is not null as "isKeyed", attempts, lease_holder as holder,
      fetch_budget_id as "fetchBudgetId"`,
  );
  return rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
}

/** Creates one task per job, or one for all jobs of a name that can run together. */
function buildTasks(app: App, jobs: readonly ClaimedJob[]): Task<JobOutcome>[] {
  return [...Map.groupBy(jobs, ({ name }) => name)].flatMap(([name, group]) => {
    const runBatch = app.subscriptions.job(name)?.runBatch;
    if (group.length === 1 || runBatch === undefined) return group.map((job) => createTask(app, job));
    return [createBatchTask(app, group, runBatch)];
  });
}

function createTask(app: App, job: ClaimedJob): Task<JobOutcome> {
  let hasBegun = false;
  return {
    lane: job.id,
    host: job.host ?? undefined,
    leases: [job],
    release: () => (hasBegun ? [] : [{ kind: 'released', job }]),
    async run(report) {
      hasBegun = true;
      report(await runJob(app, job));
      return [];
    },
  };
}

async function runJob(app: App, job: ClaimedJob): Promise<JobOutcome> {
  try {
    const handler = app.subscriptions.job(job.name);
    if (handler === undefined) throw new Error(`no job handler is named ${job.name}`);
    const { fetchBudgetId: budget } = job;
    await handler.run(budget === null ? app : withFetchBudget(app, new FetchBudget(app, budget)), job.data);
    return { kind: 'done', job };
  } catch (error) {
    app.reportJobFailure(job.name, error);
    return { kind: 'failed', job, error };
  }
}

/** Creates a task that runs jobs together. If that fails, each is run alone. */
function createBatchTask(
  app: App,
  jobs: readonly ClaimedJob[],
  runBatch: NonNullable<JobHandler['runBatch']>,
): Task<JobOutcome> {
  let hasBegun = false;
  const data = jobs.map((job) => job.data);
  const budgetIds = jobs.map((job) => job.fetchBudgetId);
  return {
    lane: `batch of ${jobs[0]?.id}`,
    leases: jobs,
    release: () => (hasBegun ? [] : jobs.map((job) => ({ kind: 'released', job }))),
    async run(report) {
      hasBegun = true;
      try {
        await runBatch(app, data, budgetIds);
      } catch (error) {
        app.log.debug({ err: error, job: jobs[0]?.name }, 'jobs that were run together failed; each is run alone');
        return jobs.map((job) => createTask(app, job));
      }
      for (const job of jobs) report({ kind: 'done', job });
      return [];
    },
  };
}

async function recordOutcomes(app: App, outcomes: readonly JobOutcome[]): Promise<void> {
  const done = outcomes.filter(({ kind }) => kind === 'done').map(({ job }) => job);
  const released = outcomes.filter(({ kind }) => kind === 'released').map(({ job }) => job);
  const failed = outcomes.filter((outcome) => outcome.kind === 'failed');
  for (const { kind, job } of outcomes)
    if (kind !== 'released') jobResults.increment(app, { job: job.name, result: kind });
  if (done.length > 0) {
    await writeStatement(app, sql`delete from jobs using (${leaseRows(done)}) lease where ${isStillLeased('jobs')}`);
  }
  if (released.length > 0) {
    await writeStatement(
      app,
      sql`update jobs set leased_until = null, lease_holder = null, attempts = jobs.attempts - 1
      from (${leaseRows(released)}) lease where ${isStillLeased('jobs')}`,
    );
  }
  if (failed.length > 0) await recordFailures(app, failed);
}

async function recordFailures(
  app: App,
  failed: readonly { readonly job: ClaimedJob; readonly error: unknown }[],
): Promise<void> {
  const now = app.clock.now();
  const retryAt = failed.map(({ job }) => new Date(now.getTime() + retryDelaySeconds(job.attempts) * 1000));
  await writeStatement(
    app,
    sql`update jobs set leased_until = null, lease_holder = null, run_at = result.again, last_error = result.error,
      exhausted_at = case when jobs.attempts >= ${maxAttempts}::int then ${now}::timestamptz end
    from (${leaseRows(failed.map(({ job }) => job))}) lease
      join unnest(${failed.map(({ job }) => job.id)}::bigint[], ${retryAt}::timestamptz[],
        ${failed.map(({ error }) => errorText(error))}::text[]) as result(id, again, error) on result.id = lease.id
    where ${isStillLeased('jobs')}`,
  );
}
