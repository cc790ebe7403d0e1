import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { App } from '../../server/platform/app.ts';

const pollMs = 50;
const maxSeconds = 900;

/** Waits until every accepted activity is processed. The alias tells these statements from those of the server. */
export const waitForInbox = (app: Pick<App, 'db'>): Promise<void> =>
  waitWhile(app, 'activities', sql`select 1 as benchmark from inbox_activities where exhausted_at is null limit 1`);

/** Waits until the server has processed all activities, and has no jobs and deliveries that are due. */
export async function waitUntilIdle(app: Pick<App, 'db'>): Promise<void> {
  await waitForInbox(app);
  const jobs = sql`select 1 as benchmark from jobs where exhausted_at is null and run_at <= now() limit 1`;
  const deliveries = sql`select 1 as benchmark from deliveries where run_at <= now() limit 1`;
  await waitWhile(app, 'jobs', jobs);
  await waitWhile(app, 'deliveries', deliveries);
  await waitWhile(app, 'jobs', jobs);
}

async function waitWhile(app: Pick<App, 'db'>, what: string, query: ReturnType<typeof sql>): Promise<void> {
  for (const deadline = performance.now() + maxSeconds * 1_000; ;) {
    const { rows } = await query.execute(app.db);
    if (rows.length === 0) return;
    if (performance.now() > deadline) throw new Error(`there are still ${what} after ${maxSeconds} seconds`);
    await pause(pollMs);
  }
}
