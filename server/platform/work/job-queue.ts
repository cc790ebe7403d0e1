import { sql } from 'kysely';
import type { App } from '../app.ts';
import { writeStatement } from '../write/write-statement.ts';
import { claimJobs, leaseEnd } from './claim-jobs.ts';
import type { ClaimedRow } from './claimed-row.ts';
import { createClaimWorker, type WorkSource } from './claim-loop.ts';
import { buildTasks } from './job-tasks.ts';
import type { LaneLimits } from './lanes.ts';
import { isStillLeased, leaseRows } from './leases.ts';
import { queues, type Queue, workerOf } from './queues.ts';
import { recordOutcomes } from './record-outcomes.ts';
import { rowIds } from './row-ids.ts';
import type { RowOutcome } from './row-results.ts';
import type { Worker } from './worker-loop.ts';

const localLimits = { reservedLanes: 0, rowsPerLane: 1, slowAfterMs: 1_000 };
/** Limits of jobs that mostly wait for other hosts. */
const remoteLimits: LaneLimits = { ...localLimits, fastLanes: 16, slowLanes: 256, batchSize: 16, slowAfterMs: 500 };

const queueLimits: Record<Queue, LaneLimits> = {
  default: { ...localLimits, fastLanes: 8, slowLanes: 8, batchSize: 100, rowsPerLane: 13 },
  feeds: { ...localLimits, fastLanes: 2, slowLanes: 2, batchSize: 50, rowsPerLane: 10 },
  mail: { ...localLimits, fastLanes: 8, slowLanes: 32, batchSize: 8 },
  bulk_mail: { ...localLimits, fastLanes: 2, slowLanes: 2, batchSize: 4 },
  media: { ...localLimits, fastLanes: 2, slowLanes: 6, batchSize: 2 },
  cards: remoteLimits,
  remote: remoteLimits,
  push: remoteLimits,
  webhooks: remoteLimits,
  search: { ...localLimits, fastLanes: 2, slowLanes: 2, batchSize: 200, rowsPerLane: 100, gatherMs: 1_000 },
  background: { ...localLimits, fastLanes: 4, slowLanes: 4, batchSize: 4 },
};

/** The workers of stored jobs, one per queue. */
export const queueWorkers: readonly Worker[] = queues.map((queue) => createClaimWorker(createSource(queue)));

/**
 * Moves stored jobs to the current queues of their handlers, which a new release may have changed. Events with such a
 * reaction are split into jobs, unless a process is running them.
 */
export async function requeueJobs(app: App): Promise<void> {
  const jobs = app.subscriptions.allJobs();
  const current = sql`unnest(
    ${jobs.map(({ name }) => name)}::text[], ${jobs.map(({ queue }) => queue)}::text[]) as current(name, queue)`;
  await writeStatement(
    app,
    sql`update jobs set queue = current.queue from ${current}
    where jobs.name = current.name and jobs.queue <> current.queue and subscribers is null`,
  );
  await writeStatement(
    app,
    sql`with split as (
      delete from jobs where subscribers is not null and lease_holder is null and exists (
        select from ${current} where current.name = any(jobs.subscribers) and current.queue <> jobs.queue)
      returning *
    )
    insert into jobs (queue, name, data, run_at, created_at, attempts, fetch_budget_id, trace_parent)
    select coalesce(current.queue, split.queue), subscriber.name, split.data, split.run_at, split.created_at,
      split.attempts, split.fetch_budget_id, split.trace_parent
    from split cross join lateral unnest(split.subscribers) as subscriber(name)
      left join ${current} on current.name = subscriber.name`,
  );
}

function createSource(queue: Queue): WorkSource<ClaimedRow, RowOutcome> {
  return {
    name: workerOf(queue),
    limits: queueLimits[queue],
    open: (app) => void rowIds(app).refill(),
    claim: (app, { maxRows, saturatedHosts }) => claimJobs(app, queue, maxRows, saturatedHosts),
    buildTasks,
    freesRows: ({ row, results }) => row.isKeyed || results.some(({ kind }) => kind === 'released'),
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
