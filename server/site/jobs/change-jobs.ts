import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { type JobId, noId } from '../../platform/ids.ts';
import { deleteJobs, jobBatchSize, retryJobs, type JobFilter } from '../../platform/work/manage-jobs.ts';
import { queues, workerOf } from '../../platform/work/queues.ts';
import { recordStaffAction } from '../audit/record-staff-action.ts';
import type { Staff } from '../staff.ts';

/** What staff do with stored jobs: run failed ones again now, or delete some. */
export type JobChange = 'retry' | 'delete';

/**
 * Changes the jobs of a filter in batches, each in a transaction of its own, and records it once in the audit log. Returns how
 * many rows were changed. Reports that number after each batch.
 */
export async function changeJobs(
  app: App,
  staff: Staff,
  {
    change,
    filter,
    onProgress,
  }: { readonly change: JobChange; readonly filter: JobFilter; readonly onProgress?: (changed: number) => void },
): Promise<number> {
  let changed = 0;
  for (let after: JobId | undefined = noId; after !== undefined;) {
    const batch: JobId[] = await changeBatch(app, staff, { change, filter, after });
    changed += batch.length;
    onProgress?.(changed);
    after = batch.length < jobBatchSize ? undefined : batch.at(-1);
  }
  if (change === 'retry' && changed > 0) app.wakeWorkers(queues.map(workerOf));
  return changed;
}

function changeBatch(
  app: App,
  staff: Staff,
  { change, filter, after }: { readonly change: JobChange; readonly filter: JobFilter; readonly after: JobId },
): Promise<JobId[]> {
  return transaction(app, async (tx) => {
    const run = change === 'retry' ? retryJobs : deleteJobs;
    const ids = await run(tx, app, { ...filter, after });
    if (after === '0' && ids.length > 0)
      recordStaffAction(tx, staff, { target: 'job', verb: change, label: describe(filter) });
    return ids;
  });
}

function describe({ ids, ...others }: JobFilter): string {
  if (ids !== undefined) return ids.join(' ');
  const values = Object.values(others).filter((value) => value !== undefined);
  return values.length === 0 ? 'all' : values.join(' ');
}
