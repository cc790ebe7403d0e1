import type { App } from '../app.ts';
import type { FetchBudgetId, JobId } from '../ids.ts';
import type { JobRequest } from './job-request.ts';
import { intakes, type Reservation } from './intakes.ts';
import type { Queue } from './queues.ts';

/** A row of `jobs`: a job, or an event with its reactions of one queue. */
export type StoredRow = JobRequest & { readonly subscribers?: readonly string[] };

/** Rows of one queue that run in this process as soon as they are stored. */
export interface ReservedRows {
  readonly queue: Queue;
  readonly rows: readonly StoredRow[];
  readonly reservation: Reservation;
}

/** The lease with which a row is stored. */
export interface RowLease {
  readonly id: JobId;
  readonly holder: string;
  readonly leasedUntil: Date;
}

/** Reserves room in the workers of this process for rows that need not wait for a time, other jobs or a host. */
export function reserveRows(app: App, rows: readonly StoredRow[]): ReservedRows[] {
  const free = rows.filter(({ key, runAt, host }) => key === undefined && runAt === undefined && host === undefined);
  return [...Map.groupBy(free, ({ queue }) => queue)].flatMap(([queue, group]): ReservedRows[] => {
    const reservation = intakes(app).get(queue)?.reserve(group.length);
    return reservation === undefined ? [] : [{ queue, rows: group, reservation }];
  });
}

/** Returns the leases by row. */
export function leasesOf(reserved: readonly ReservedRows[]): ReadonlyMap<StoredRow, RowLease> {
  return new Map(
    reserved.flatMap(({ rows, reservation: { ids, holder, leasedUntil } }) =>
      rows.map((row, at) => [row, { id: ids[at] as JobId, holder, leasedUntil }] as const),
    ),
  );
}

/** Runs the rows, after the commit. `defaultBudgetId`: the fetch budget of rows that name none. */
export function startRows(reserved: readonly ReservedRows[], defaultBudgetId: FetchBudgetId | null): void {
  for (const { rows, reservation } of reserved) {
    const { ids, holder } = reservation;
    reservation.start(
      rows.map(({ name, subscribers, data, fetchBudgetId = defaultBudgetId }, at) => ({
        id: ids[at] as JobId,
        name,
        subscribers: subscribers ?? null,
        // As it is read from the database.
        data: JSON.parse(JSON.stringify(data)) as unknown,
        host: null,
        isKeyed: false,
        fetchBudgetId,
        holder,
        attempts: 1,
      })),
    );
  }
}
