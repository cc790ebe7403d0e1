import type { App } from '../app.ts';
import type { JobHandler } from '../write/subscriptions.ts';
import { StoredFetchBudget, withFetchBudget } from '../outgoing/fetch-budget.ts';
import { inStoredTrace, type SpanStart } from '../tracing/span.ts';
import type { ClaimedRow } from './claimed-row.ts';
import type { Task } from './lanes.ts';
import { unknownJobs } from './unknown-jobs.ts';
import { RowResults, type JobResult, type RowOutcome } from './row-results.ts';

/** One job of a claimed row. */
interface ClaimedJob {
  readonly name: string;
  readonly row: ClaimedRow;
  readonly results: RowResults;
}

/** Creates one task per job, or one for all jobs of a name that can run together. */
export function buildTasks(app: App, rows: readonly ClaimedRow[]): Task<RowOutcome>[] {
  return [...Map.groupBy(rows.flatMap(listJobs), ({ name }) => name)].flatMap(([name, group]) => {
    const handler = app.subscriptions.job(name);
    if (group.length === 1 || !runsBatches(handler)) return group.map((job) => createTask(app, job));
    return [createBatchTask(app, group, handler)];
  });
}

type BatchHandler = JobHandler & Required<Pick<JobHandler, 'runBatch'>>;

const runsBatches = (handler: JobHandler | undefined): handler is BatchHandler => handler?.runBatch !== undefined;

function listJobs(row: ClaimedRow): ClaimedJob[] {
  const results = new RowResults(row);
  return (row.subscribers ?? [row.name]).map((name) => ({ name, row, results }));
}

function createTask(app: App, job: ClaimedJob): Task<RowOutcome> {
  const { name, row, results } = job;
  let hasBegun = false;
  return {
    lane: `${row.id} ${name}`,
    host: row.host ?? undefined,
    leases: [row],
    release: () => (hasBegun ? [] : results.add({ name, kind: 'released' })),
    async run(report) {
      hasBegun = true;
      results.add(await runJob(app, job), report).forEach(report);
      return [];
    },
  };
}

async function runJob(app: App, job: ClaimedJob): Promise<JobResult> {
  const {
    name,
    row: { data, fetchBudgetId },
  } = job;
  const handler = app.subscriptions.job(name);
  if (handler === undefined) {
    unknownJobs(app).add(name);
    app.log.info({ job: name }, 'this version does not know a job; it waits for a process of a newer one');
    return { name, kind: 'released' };
  }
  try {
    const budgeted = fetchBudgetId === null ? app : withFetchBudget(app, new StoredFetchBudget(app, fetchBudgetId));
    await inStoredTrace(
      app,
      () => describeJobs(name, handler, [job.row]),
      () => handler.run(budgeted, data),
    );
    return { name, kind: 'done' };
  } catch (error) {
    app.reportJobFailure(name, error);
    return { name, kind: 'failed', error };
  }
}

/** Describes the span of jobs that run together: in the trace of the first, with links to those of the others. */
function describeJobs(
  name: string,
  { queue }: JobHandler,
  rows: readonly ClaimedRow[],
): SpanStart & { readonly traceParent: string | null } {
  const [traceParent = null, ...links] = rows.flatMap((row) => row.traceParent ?? []);
  const attributes = {
    'messaging.system': 'fieldfare',
    'messaging.operation.type': 'process',
    'messaging.operation.name': name,
    'messaging.destination.name': queue,
    'messaging.batch.message_count': rows.length,
    'fieldfare.job.attempt': rows[0]?.attempts ?? 1,
  };
  return { name: `${name} ${queue}`, kind: 'consumer', attributes, links, traceParent };
}

/** Creates a task that runs jobs together. If that fails, each is run alone. */
function createBatchTask(app: App, jobs: readonly ClaimedJob[], handler: BatchHandler): Task<RowOutcome> {
  const name = jobs[0]?.name ?? '';
  const rows = jobs.map(({ row }) => row);
  let hasBegun = false;
  return {
    lane: `batch of ${rows[0]?.id} ${name}`,
    leases: rows,
    release: () => (hasBegun ? [] : jobs.flatMap(({ results }) => results.add({ name, kind: 'released' }))),
    async run(report) {
      hasBegun = true;
      try {
        await inStoredTrace(
          app,
          () => describeJobs(name, handler, rows),
          () =>
            handler.runBatch(
              app,
              rows.map(({ data }) => data),
              rows.map(({ fetchBudgetId }) => fetchBudgetId),
            ),
        );
      } catch (error) {
        app.log.debug({ err: error, job: name }, 'jobs that were run together failed; each is run alone');
        return jobs.map((job) => createTask(app, job));
      }
      for (const { results } of jobs) results.add({ name, kind: 'done' }, report).forEach(report);
      return [];
    },
  };
}
