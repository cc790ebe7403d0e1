import { sql } from 'kysely';
import { workerQueues } from '../../app.ts';
import type { App } from '../../platform/app.ts';
import { countQueueProcesses, isInstanceRunning } from '../../platform/work/queue-processes.ts';
import type { Finding } from './finding.ts';

const subject = 'queues';

export async function checkQueues({ db, clock }: App): Promise<Finding[]> {
  const now = clock.now();
  const { rows } = await sql<{ waiting: number; exhausted: number; lag: number }>`
    select coalesce(sum(coalesce(cardinality(subscribers), 1)) filter (
        where exhausted_at is null and run_at <= ${now}), 0)::int as waiting,
      count(*) filter (where exhausted_at is not null)::int as exhausted,
      coalesce(extract(epoch from ${now}::timestamptz - min(run_at) filter (where exhausted_at is null and run_at <= ${now})), 0)::int as lag
    from jobs`.execute(db);
  const { waiting, exhausted, lag } = rows[0] ?? { waiting: 0, exhausted: 0, lag: 0 };
  const late = lag > 60;
  const findings: Finding[] = [
    {
      subject,
      state: late ? 'warn' : 'ok',
      detail: waiting === 0 ? 'no jobs are waiting' : `${waiting} jobs are waiting, the oldest for ${lag} s`,
      ...(late && {
        fix: 'Start the server if it is not running, or add processes: fieldfare serve --roles worker.',
      }),
    },
  ];
  if (exhausted > 0) {
    findings.push({
      subject,
      state: 'warn',
      detail: `${exhausted} jobs failed after all retries`,
      fix: 'Show the errors: fieldfare db psql -- -c "select name, last_error from jobs where exhausted_at is not null"',
    });
  }
  return findings;
}

/** Finds queues that no process serves, unless the whole instance is stopped. */
export async function checkQueueProcesses(app: App): Promise<Finding[]> {
  const processes = await countQueueProcesses(app, workerQueues, { timeoutMs: 10_000 });
  const unserved = workerQueues.filter((queue) => processes.get(queue) === 0);
  if (unserved.length === 0) return [];
  const fix = 'Start one: fieldfare serve --roles worker';
  if (unserved.length < workerQueues.length) {
    const detail = `no process does the work of ${unserved.join(', ')}`;
    return [{ subject, state: 'fail', detail, fix: `${fix} --queues ${unserved.join(',')}` }];
  }
  return (await isInstanceRunning(app)) ? [{ subject, state: 'fail', detail: 'no worker runs', fix }] : [];
}
