import { sql } from 'kysely';
import { schedules } from '../server/measures/index.ts';
import type { App } from '../server/platform/app.ts';

/** A schedule counts the days of smaller databases at a cost that no measurement shows. */
const minStatuses = 100_000;

/** Counts all days of a large database, so that the schedule does not do it during a measurement. */
export async function countLargeDatabase(app: App): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from statuses`.execute(app.db);
  if ((rows[0]?.count ?? 0) >= minStatuses) await countEverything(app);
}

/** Counts all days, as the schedules do within hours. */
export async function countEverything(app: App): Promise<void> {
  const run = async (name: string): Promise<void> => {
    await schedules.find((schedule) => schedule.name === name)?.run(app);
  };
  await run('measures.count_today');
  for (;;) {
    await run('measures.count_past');
    const row = await app.db.selectFrom('recount_progress').select('is_complete').executeTakeFirst();
    if (row?.is_complete === true) break;
  }
  await run('measures.rank_accounts');
}
