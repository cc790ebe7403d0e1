import { sql } from 'kysely';
import { accountsPerRun } from '../server/accounts/find/index.ts';
import type { App } from '../server/platform/app.ts';
import type { Schedule } from '../server/platform/work/run-schedules.ts';

/** Runs a schedule that works through the accounts in turns until each had its turn. */
export async function runForAllAccounts(app: App, schedule: Schedule): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from account_stats`.execute(app.db);
  for (let left = rows[0]?.count ?? 0; left >= 0; left -= accountsPerRun) await schedule.run(app);
}
