import type { Schedule } from '../work/run-schedules.ts';
import { sql } from 'kysely';
import { writeStatement } from '../write/write-statement.ts';

/** Clocks of machines differ: a window counts as closed a minute after its end. */
const clockSkewMs = 60_000;

/** Deletes the counts of closed windows. */
export const deleteRateCounts: Schedule = {
  name: 'platform.delete_rate_counts',
  pattern: '*/10 * * * *',
  async run(app) {
    const over = new Date(app.clock.now().getTime() - clockSkewMs);
    await writeStatement(app, sql`delete from rate_counts where ends_at < ${over}`);
  },
};
