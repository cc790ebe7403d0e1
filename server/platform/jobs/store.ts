import { sql, type Transaction } from 'kysely';
import type { App } from '../app.ts';
import type { Tables } from '../database/tables.ts';
import { reportTemporaryFailure } from '../temporary-failures.ts';
import { workerOf, type DomainEvent, type JobRequest, type Queue } from './events.ts';

/**
 * Stores one job per event and durable subscriber, and the jobs asked for, in the caller's transaction and in one statement.
 * They share the fetch budget of the work that causes them.
 */
export async function storeJobs(
  app: App,
  db: Transaction<Tables>,
  events: readonly DomainEvent[],
  requests: readonly JobRequest[],
): Promise<void> {
  const jobs: JobRequest[] = events.flatMap((event) =>
    app.subscriptions.durable(event.name).map(({ name, queue }) => ({ name, queue, data: event.data })),
  );
  jobs.push(...requests);
  if (jobs.length === 0) return;
  const now = app.clock.now();
  const budgetId = (await app.fetchBudget?.store(db)) ?? null;
  await sql`insert into jobs (queue, name, data, key, host, run_at, fetch_budget_id)
    select * from unnest(
      ${jobs.map(({ queue }) => queue)}::text[], ${jobs.map(({ name }) => name)}::text[],
      ${jobs.map(({ data }) => JSON.stringify(data))}::jsonb[], ${jobs.map(({ key }) => key ?? null)}::text[],
      ${jobs.map(({ host }) => host ?? null)}::text[],
      ${jobs.map(({ runAt }) => runAt ?? now)}::timestamptz[],
      ${jobs.map(({ fetchBudgetId = budgetId }) => fetchBudgetId)}::bigint[])`.execute(db);
}

/** Wakes the workers and runs the live subscribers; whatever these throw is only logged. */
export function runLive(app: App, events: readonly DomainEvent[], jobs: readonly JobRequest[]): void {
  const queues = new Set<Queue>(jobs.map(({ queue }) => queue));
  for (const event of events) for (const { queue } of app.subscriptions.durable(event.name)) queues.add(queue);
  if (queues.size > 0) app.wakeWorkers([...queues].map(workerOf));
  for (const event of events) {
    for (const subscription of app.subscriptions.live(event.name)) {
      Promise.try(() => subscription.run(app, event.data)).catch((error: unknown) => {
        if (!reportTemporaryFailure(app, error)) {
          app.log.error({ err: error, subscription: subscription.name }, 'a live subscriber failed');
        }
      });
    }
  }
}
