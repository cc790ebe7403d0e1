import { sql } from 'kysely';
import { schedules } from '../server/measures/index.ts';
import type { App } from '../server/platform/app.ts';
import type { Schedule } from '../server/platform/work/run-schedules.ts';
import { runForAllAccounts } from './run-for-all-accounts.ts';

/** A schedule counts the days of smaller databases at a cost that no measurement shows. */
const minStatuses = 100_000;

/** Counts all days of a large database, so that the schedule does not do it during a measurement. */
export async function countLargeDatabase(app: App): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from statuses`.execute(app.db);
  if ((rows[0]?.count ?? 0) >= minStatuses) await countEverything(app);
}

/** Counts all days, as the schedules do within hours. */
export async function countEverything(app: App): Promise<void> {
  const find = (name: string): Schedule => {
    const schedule = schedules.find((other) => other.name === name);
    if (schedule === undefined) throw new TypeError(`There is no schedule ${name}.`);
    return schedule;
  };
  await find('measures.count_today').run(app);
  for (;;) {
    await find('measures.count_past').run(app);
    const row = await app.db
      .selectFrom('recount_progress')
      .select('is_complete')
      .where('name', '=', 'days')
      .executeTakeFirst();
    if (row?.is_complete === true) break;
  }
  await runForAllAccounts(app, find('measures.rank_accounts'));
}
