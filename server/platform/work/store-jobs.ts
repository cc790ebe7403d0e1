import { publishEvents } from '../write/publish.ts';
import type { JobHandler } from '../write/subscriptions.ts';
import { urgentWork } from '../write/urgent-work.ts';
import { type Queue, workerOf } from './queues.ts';
import type { DomainEvent } from '../write/define-event.ts';
import type { JobRequest } from './job-request.ts';
import { cancelRows, reserveRows, startRows, type StoredRow } from './reserve-rows.ts';
import { currentSpan } from '../tracing/span.ts';
import { sql } from 'kysely';
import type { App } from '../app.ts';
import type { Transaction } from '../write/transaction.ts';

/** Returns the `later` reactions that the event needs. */
const findSubscribers = (app: App, { name, data }: DomainEvent): JobHandler[] =>
  app.subscriptions.jobs(name).filter(({ when }) => when === undefined || when(data));

/** Returns one row for all reactions of a queue, because they are stored, claimed and deleted together. */
function buildRows(app: App, event: DomainEvent): StoredRow[] {
  const byQueue = Map.groupBy(findSubscribers(app, event), ({ queue }) => queue);
  return [...byQueue].map(([queue, subscribers]) => {
    const names = subscribers.map(({ name }) => name);
    const [name = event.name] = names;
    const fields = { queue, ...pickJobFields(event) };
    return names.length === 1 ? { ...fields, name } : { ...fields, name: event.name, subscribers: names };
  });
}

/** Rows that a transaction stored. */
export interface StoredJobs {
  /** The queues whose workers must claim. */
  readonly queues: ReadonlySet<Queue>;
  /** Runs the rows for which workers of this process have room, after the commit. */
  start(): void;
  /** After the transaction failed with `error`. */
  cancel(error: unknown): void;
}

/**
 * Stores a row for each event and queue of its `later` reactions, and the requested jobs, with the commit. They share the fetch
 * budget of the work that causes them. Returns undefined if there are none.
 */
export async function storeJobs(
  app: App,
  tx: Transaction,
  events: readonly DomainEvent[],
  requests: readonly JobRequest[],
): Promise<StoredJobs | undefined> {
  const rows = events.flatMap((event) => buildRows(app, event));
  rows.push(...(await withoutStored(tx, requests)));
  if (rows.length === 0) return undefined;
  const now = app.clock.now();
  const budgetId = (await app.fetchBudget?.store(tx.db)) ?? null;
  const reserved = reserveRows(app, rows);
  const traceParent = currentSpan()?.traceParent ?? null;
  const leases = new Map(reserved.flatMap((each) => [...each.leases]));
  tx.sendWithCommit(sql`insert into jobs (id, queue, name, subscribers, data, key, host, run_at,
      fetch_budget_id, lease_holder, leased_until, attempts, trace_parent) overriding system value
    select coalesce(id, nextval('jobs_id_seq')), queue, name, subscribers::text[], data, key, host, run_at,
      fetch_budget_id, lease_holder, leased_until, (lease_holder is not null)::int, ${traceParent}::text
    from unnest(
      ${rows.map((row) => leases.get(row)?.id ?? null)}::bigint[], ${rows.map(({ queue }) => queue)}::text[],
      ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ subscribers }) => (subscribers === undefined ? null : `{${subscribers.join(',')}}`))}::text[],
      ${rows.map(({ data }) => JSON.stringify(data))}::jsonb[], ${rows.map(({ key }) => key ?? null)}::text[],
      ${rows.map(({ host }) => host ?? null)}::text[],
      ${rows.map(({ runAt }) => runAt ?? now)}::timestamptz[],
      ${rows.map(({ fetchBudgetId = budgetId }) => fetchBudgetId)}::bigint[],
      ${rows.map((row) => leases.get(row)?.holder ?? null)}::uuid[],
      ${rows.map((row) => leases.get(row)?.leasedUntil ?? null)}::timestamptz[]
    ) as job(id, queue, name, subscribers, data, key, host, run_at, fetch_budget_id, lease_holder, leased_until)`);
  return {
    queues: new Set(rows.flatMap((row) => (leases.has(row) ? [] : [row.queue]))),
    start: () => startRows(app, reserved, { budgetId, traceParent }),
    cancel: (error) => cancelRows(reserved, error),
  };
}

const pickJobFields = ({ data, fetchBudgetId }: DomainEvent): Pick<JobRequest, 'data' | 'fetchBudgetId'> => ({
  data,
  ...(fetchBudgetId !== undefined && { fetchBudgetId }),
});

async function withoutStored({ db }: Transaction, requests: readonly JobRequest[]): Promise<readonly JobRequest[]> {
  const unique = requests.filter(({ isUnique }) => isUnique === true);
  if (unique.length === 0) return requests;
  const { rows } = await sql<{ place: number }>`
    select place::int from unnest(
      ${unique.map(({ key }) => key ?? null)}::text[], ${unique.map(({ name }) => name)}::text[],
      ${unique.map(({ data }) => JSON.stringify(data))}::jsonb[]) with ordinality as wanted (key, name, data, place)
    where exists (
      select from jobs where jobs.key = wanted.key and jobs.name = wanted.name and jobs.data = wanted.data
        and exhausted_at is null)`.execute(db);
  const stored = new Set(rows.map(({ place }) => unique[place - 1]));
  return requests.filter((request) => !stored.has(request));
}

/** Publishes the events of a transaction, and runs or wakes the workers for its jobs. */
export function announceCommit(app: App, events: readonly DomainEvent[], jobs: StoredJobs | undefined): void {
  publishEvents(app, events);
  if (jobs === undefined) return;
  urgentWork(app).runAfter(() => jobs.start());
  if (jobs.queues.size > 0) app.wakeWorkers([...jobs.queues].map(workerOf));
}
