import { schedules } from '../server/measures/index.ts';
import type { App } from '../server/platform/app.ts';

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
