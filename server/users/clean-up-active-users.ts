import { sql } from 'kysely';
import { writeStatement } from '../platform/write/write-statement.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';

/** Measures cover two years, and compare them with the two years before. */
const retentionDays = 4 * 366;
const dayMs = 86_400_000;

/** Deletes counts of active users that no measure reads any more. */
export const cleanUpActiveUsers: Schedule = {
  name: 'user.clean_up_active_counts',
  pattern: '17 5 * * *',
  async run(app) {
    const before = new Date(app.clock.now().getTime() - retentionDays * dayMs);
    await writeStatement(
      app,
      sql`delete from active_user_counts where day < (${before}::timestamptz at time zone 'UTC')::date`,
    );
  },
};
