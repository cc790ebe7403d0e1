import { broadcastEvents } from '../caching/broadcast.ts';
import type { AfterCommit, JobHandler } from '../events/reactions.ts';
import { type Queue, workerOf } from './queues.ts';
import type { DomainEvent } from '../events/define-event.ts';
import type { JobRequest } from './define-job.ts';
import { sql, type Transaction } from 'kysely';
import type { App } from '../app.ts';
import type { Tables } from '../database/tables.ts';
import { reportTemporaryFailure } from '../temporary-failures.ts';

/** Returns the `on` reactions that the event needs. */
const findSubscribers = (app: App, { name, data }: DomainEvent): JobHandler[] =>
  app.subscriptions.jobs(name).filter(({ when }) => when === undefined || when(data));

/** A row of `jobs`: a job, or an event with its reactions of one queue. */
type StoredRow = JobRequest & { readonly subscribers?: readonly string[] };

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

/**
 * Stores a row for each event and queue of its `on` reactions, and the requested jobs, in the last statement of the caller's transaction.
 * They share the fetch budget of the work that causes them.
 */
export async function storeJobs(
  app: App,
  db: Transaction<Tables>,
  events: readonly DomainEvent[],
  requests: readonly JobRequest[],
): Promise<void> {
  const jobs = events.flatMap((event) => buildRows(app, event));
  jobs.push(...(await withoutStored(db, requests)));
  if (jobs.length === 0) return;
  const now = app.clock.now();
  const budgetId = (await app.fetchBudget?.store(db)) ?? null;
  await sql`/* sent with the commit */ insert into jobs (queue, name, subscribers, data, key, host, run_at,
      fetch_budget_id)
    select queue, name, subscribers::text[], data, key, host, run_at, fetch_budget_id from unnest(
      ${jobs.map(({ queue }) => queue)}::text[], ${jobs.map(({ name }) => name)}::text[],
      ${jobs.map(({ subscribers }) => (subscribers === undefined ? null : `{${subscribers.join(',')}}`))}::text[],
      ${jobs.map(({ data }) => JSON.stringify(data))}::jsonb[], ${jobs.map(({ key }) => key ?? null)}::text[],
      ${jobs.map(({ host }) => host ?? null)}::text[],
      ${jobs.map(({ runAt }) => runAt ?? now)}::timestamptz[],
      ${jobs.map(({ fetchBudgetId = budgetId }) => fetchBudgetId)}::bigint[]
    ) as job(queue, name, subscribers, data, key, host, run_at, fetch_budget_id)`.execute(db);
}

const pickJobFields = ({ data, fetchBudgetId }: DomainEvent): Pick<JobRequest, 'data' | 'fetchBudgetId'> => ({
  data,
  ...(fetchBudgetId !== undefined && { fetchBudgetId }),
});

async function withoutStored(db: Transaction<Tables>, requests: readonly JobRequest[]): Promise<readonly JobRequest[]> {
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

/**
 * Sends events to every process, wakes workers and runs the `afterCommit` reactions, whose errors are
 * only logged.
 */
export function announceCommit(app: App, events: readonly DomainEvent[], jobs: readonly JobRequest[]): void {
  broadcastEvents(app, events);
  const queues = new Set<Queue>(jobs.map(({ queue }) => queue));
  const reactions = new Set<AfterCommit>();
  for (const event of events) {
    for (const { queue } of findSubscribers(app, event)) queues.add(queue);
    for (const reaction of app.subscriptions.afterCommit(event.name)) reactions.add(reaction);
  }
  if (queues.size > 0) app.wakeWorkers([...queues].map(workerOf));
  for (const reaction of reactions) {
    const data = events.filter(({ name }) => reaction.events.includes(name)).map((event) => event.data);
    reaction.runBatch(app, data).catch((error: unknown) => {
      if (!reportTemporaryFailure(app, error)) {
        app.log.error({ err: error, events: reaction.events }, 'a reaction after the commit failed');
      }
    });
  }
}
