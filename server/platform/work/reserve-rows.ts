import type { App } from '../app.ts';
import type { FetchBudgetId, JobId } from '../ids.ts';
import type { ClaimedRow } from './claimed-row.ts';
import { intakeOf, type Intake, type IntakeLease } from './intake.ts';
import type { JobRequest } from './job-request.ts';
import { workerOf } from './queues.ts';
import { rowIds } from './row-ids.ts';

/** A row of `jobs`: a job, or an event with its reactions of one queue. */
export type StoredRow = JobRequest & { readonly subscribers?: readonly string[] };

/** The id and the lease with which a row is stored. */
export interface RowLease extends IntakeLease {
  readonly id: JobId;
}

/** Rows of one queue that run in this process as soon as they are stored. */
export interface ReservedRows {
  readonly intake: Intake<ClaimedRow>;
  readonly leases: ReadonlyMap<StoredRow, RowLease>;
}

/** Reserves room in the workers of this process for rows that need not wait for a time, other jobs or a host. */
export function reserveRows(app: App, rows: readonly StoredRow[]): ReservedRows[] {
  const free = rows.filter(({ key, runAt, host }) => key === undefined && runAt === undefined && host === undefined);
  return [...Map.groupBy(free, ({ queue }) => queue)].flatMap(([queue, group]): ReservedRows[] => {
    const intake = intakeOf<ClaimedRow>(app, workerOf(queue));
    if (intake?.room.reserve(group.length) !== true) return [];
    const ids = rowIds(app).take(group.length);
    if (ids === undefined) {
      intake.room.cancel(group.length);
      return [];
    }
    const lease = intake.newLease();
    const leases = new Map(group.map((row, at) => [row, { ...lease, id: ids[at] as JobId }] as const));
    return [{ intake, leases }];
  });
}

/** Frees the room, after the transaction failed with `error`. */
export function cancelRows(reserved: readonly ReservedRows[], error?: unknown): void {
  for (const { intake, leases } of reserved) intake.cancel(leases.size, error);
}

/** What rows of a transaction have in common: the fetch budget of those that name none, and the span that stored them. */
interface Origin {
  readonly budgetId: FetchBudgetId | null;
  readonly traceParent: string | null;
}

/** Runs the rows, after the commit. */
export function startRows(app: App, reserved: readonly ReservedRows[], { budgetId, traceParent }: Origin): void {
  for (const { intake, leases } of reserved) {
    intake.room.start(
      [...leases].map(([{ name, subscribers, data, fetchBudgetId = budgetId }, { id, holder }]) => ({
        id,
        name,
        subscribers: subscribers ?? null,
        // As it is read from the database.
        data: JSON.parse(JSON.stringify(data)) as unknown,
        host: null,
        isKeyed: false,
        fetchBudgetId,
        traceParent,
        holder,
        attempts: 1,
      })),
    );
    void rowIds(app).refill();
  }
}
