import type { ClaimedRow } from './claimed-row.ts';
import { sql } from 'kysely';
import type { App } from '../app.ts';
import { writeStatement } from '../write/write-statement.ts';
import { leaseHolder } from './lease-holder.ts';
import type { Queue } from './queues.ts';
import { unknownJobs } from './unknown-jobs.ts';

const leaseSeconds = 300;
/** Longer than a claim takes, and than clocks of machines differ. */
const claimMarginSeconds = 2;

/** Returns when leases that are taken or renewed now expire. */
export const leaseEnd = (app: App): Date => new Date(app.clock.now().getTime() + leaseSeconds * 1000);

/** Leases due rows of a queue, except those of `fullHosts` and with jobs that another version knows. Returns them in the order stored. */
export async function claimJobs(
  app: App,
  queue: Queue,
  limit: number,
  fullHosts: readonly string[],
): Promise<ClaimedRow[]> {
  const now = app.clock.now();
  const unknown = [...unknownJobs(app)];
  // Work that is almost due counts as due: another process could claim it a moment later, without seeing this lease.
  const dueBefore = new Date(now.getTime() + claimMarginSeconds * 1000);
  const { rows } = await writeStatement(
    app,
    sql<ClaimedRow>`
    update jobs set leased_until = ${leaseEnd(app)}, lease_holder = ${leaseHolder(app).id}, attempts = attempts + 1
    where id = any(array(
      select id from jobs job
      where queue = ${queue} and exhausted_at is null and run_at <= ${now}
        and (leased_until is null or leased_until < ${now})
        and (host is null or host <> all(${[...fullHosts]}::text[]))
        and name <> all(${unknown}::text[]) and (subscribers is null or not subscribers && ${unknown}::text[])
        and (key is null or not exists (
          select 1 from jobs other where other.key = job.key and other.id <> job.id and other.exhausted_at is null
            and (other.leased_until >= ${now}
              or other.id < job.id and (other.run_at <= ${dueBefore} or other.attempts > 0))))
      order by run_at, id limit ${limit} for update skip locked))
    returning id, name, subscribers, data, host, key is not null as "isKeyed", attempts, lease_holder as holder,
      fetch_budget_id as "fetchBudgetId", trace_parent as "traceParent"`,
    { withIndexes: true },
  );
  return rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
}
