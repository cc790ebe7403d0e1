import { sql } from 'kysely';
import type { App } from '../app.ts';
import { DatabaseUnavailable } from '../wire/database-unavailable.ts';
import { writeStatement } from '../write/write-statement.ts';
import type { ClaimedRow } from './claimed-row.ts';
import { jobResults } from './job-results.ts';
import { errorText, isStillLeased, leaseRows } from './leases.ts';
import type { JobResult, RowOutcome } from './row-results.ts';

const withIndexes = { withIndexes: true };

/** About two days, with the delays of `retryDelaySeconds`. */
const maxAttempts = 16;

/**
 * Returns the delay before the next attempt. It grows with the fourth power of the attempts, with jitter so that jobs
 * that failed together are not retried together.
 */
export function retryDelaySeconds(attempts: number): number {
  return Math.min(attempts ** 4 + 15 + Math.random() * 10 * attempts, 6 * 3600);
}

/**
 * Deletes rows whose jobs are done, frees those that were not started, and schedules failed jobs again. A failed reaction
 * to an event gets a row of its own, so that the others do not run again. Repeatable, if a part of it fails.
 */
export async function recordOutcomes(app: App, outcomes: readonly RowOutcome[]): Promise<void> {
  for (const { name, kind } of outcomes.flatMap(({ results }) => results))
    if (kind !== 'released') jobResults.increment(app, { job: name, result: kind });
  const done = outcomes.filter(isDone);
  const others = outcomes.filter((outcome) => !isDone(outcome));
  const events = others.filter(({ row }) => row.subscribers !== null);
  const failed = others.flatMap(({ row, results }) =>
    row.subscribers === null ? results.filter(isFailed).map(({ error }) => ({ row, error })) : [],
  );
  const released = others.filter(({ results }) => results.some(({ kind }) => kind === 'released'));
  if (done.length > 0) {
    await writeStatement(
      app,
      sql`delete from jobs using (${leaseRows(rowsOf(done))}) lease where ${isStillLeased('jobs')}`,
      withIndexes,
    );
  }
  if (events.length > 0) await recordReactions(app, events);
  if (released.length > 0) {
    await writeStatement(
      app,
      sql`update jobs set leased_until = null, lease_holder = null, attempts = jobs.attempts - 1
      from (${leaseRows(rowsOf(released))}) lease where ${isStillLeased('jobs')}`,
      withIndexes,
    );
  }
  if (failed.length > 0) await recordFailures(app, failed);
}

type Failed = Extract<JobResult, { kind: 'failed' }>;

const isFailed = (result: JobResult): result is Failed => result.kind === 'failed';

const isDone = ({ results, isComplete }: RowOutcome): boolean =>
  isComplete && results.every(({ kind }) => kind === 'done');

const rowsOf = (outcomes: readonly RowOutcome[]): ClaimedRow[] => outcomes.map(({ row }) => row);

/** An outage of the database is over when its failures are recorded, so the first retry comes soon. */
const outageDelaySeconds = 1;

function nextRun(app: App, { attempts }: ClaimedRow, error: unknown): Date {
  const isOutage = error instanceof DatabaseUnavailable && attempts === 1;
  const seconds = isOutage ? outageDelaySeconds + Math.random() : retryDelaySeconds(attempts);
  return new Date(app.clock.now().getTime() + seconds * 1000);
}

/** Removes the reactions that ended from the rows of their events, and stores the failed ones as jobs. */
async function recordReactions(app: App, outcomes: readonly RowOutcome[]): Promise<void> {
  const ended = outcomes.flatMap(({ row, results }) =>
    results.filter(({ kind }) => kind !== 'released').map((result) => ({ row, result })),
  );
  if (ended.length === 0) return;
  const errors = ended.map(({ result }) => (isFailed(result) ? errorText(result.error) : null));
  const nextRuns = ended.map(({ row, result }) => nextRun(app, row, isFailed(result) ? result.error : undefined));
  await writeStatement(
    app,
    sql`with ended as (
      select * from unnest(
        ${ended.map(({ row }) => row.id)}::bigint[], ${ended.map(({ row }) => row.holder)}::uuid[],
        ${ended.map(({ row }) => row.attempts)}::int[], ${ended.map(({ result }) => result.name)}::text[],
        ${errors}::text[], ${nextRuns}::timestamptz[]
      ) as ended(id, lease_holder, attempts, name, error, run_at)
    ), event as materialized (
      select jobs.*, array(
        select name from unnest(jobs.subscribers) as name
        where name not in (select ended.name from ended where ended.id = jobs.id)) as remaining
      from jobs where exists (select from ended lease where ${isStillLeased('jobs')}) order by id for update
    ), deleted as (
      delete from jobs using event where jobs.id = event.id and event.remaining = '{}'
    ), reduced as (
      update jobs set subscribers = event.remaining from event where jobs.id = event.id and event.remaining <> '{}'
    )
    insert into jobs (queue, name, data, attempts, run_at, created_at, last_error, exhausted_at, fetch_budget_id,
      trace_parent)
    select event.queue, ended.name, event.data, event.attempts, ended.run_at, event.created_at, ended.error,
      case when event.attempts >= ${maxAttempts}::int then ${app.clock.now()}::timestamptz end, event.fetch_budget_id,
      event.trace_parent
    from event join ended using (id)
    where ended.error is not null and ended.name = any(event.subscribers)`,
    withIndexes,
  );
}

async function recordFailures(
  app: App,
  failed: readonly { readonly row: ClaimedRow; readonly error: unknown }[],
): Promise<void> {
  const now = app.clock.now();
  await writeStatement(
    app,
    sql`update jobs set leased_until = null, lease_holder = null, run_at = result.again, last_error = result.error,
      exhausted_at = case when jobs.attempts >= ${maxAttempts}::int then ${now}::timestamptz end
    from (${leaseRows(failed.map(({ row }) => row))}) lease
      join unnest(
        ${failed.map(({ row }) => row.id)}::bigint[], ${failed.map(({ row, error }) => nextRun(app, row, error))}::timestamptz[],
        ${failed.map(({ error }) => errorText(error))}::text[]) as result(id, again, error) on result.id = lease.id
    where ${isStillLeased('jobs')}`,
    withIndexes,
  );
}
