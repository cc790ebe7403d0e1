import { sql } from 'kysely';
import type { App } from '../app.ts';
import { queryWithTimeout } from '../database/query-with-timeout.ts';
import type { MetricSource } from '../metrics/metric-source.ts';
import { isLate, isLocked } from './lease-holder.ts';

/** Returns how many living processes of the instance do the work of each of these queues. */
export async function countQueueProcesses(
  app: App,
  queues: readonly string[],
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<Map<string, number>> {
  const rows = await queryWithTimeout<{ queue: string; processes: number }>(
    app,
    sql`select queue, count(holder.id)::int as processes
      from unnest(${[...queues]}::text[]) queue left join lease_holders holder
        on (holder.queues is null or queue = any(holder.queues)) and (${isLocked} or not ${isLate})
      group by queue`,
    { timeoutMs },
  );
  return new Map(rows.map(({ queue, processes }) => [queue, processes]));
}

/** Returns whether any process of the instance lives, whatever its roles. */
export async function isInstanceRunning(app: App): Promise<boolean> {
  const { rows } = await sql<{ isRunning: boolean }>`select exists (
    select from lease_holders holder where ${isLocked} or not ${isLate}) as "isRunning"`.execute(app.db);
  return rows[0]?.isRunning === true;
}

/** Shows how many processes do the work of each of these queues. */
export const queueProcesses = (queues: readonly string[]): MetricSource => ({
  name: 'fieldfare_queue_processes',
  help: 'Processes of the whole instance that do the work of a queue',
  kind: 'gauge',
  labels: ['queue'],
  async collect(app) {
    const processes = await countQueueProcesses(app, queues, { timeoutMs: 2_000 });
    return [...processes].map(([queue, value]) => ({ labels: { queue }, value }));
  },
});
