import type { Schedule } from '../platform/jobs/schedule.ts';
import { sql } from 'kysely';
import { write } from '../platform/database/write.ts';

const receivedDays = 14;

/**
 * Deletes, once a day, the ids of activities that are too old for their signatures to hold, and activities that nothing is
 * left to deliver of.
 */
export const forgetOld: Schedule = {
  name: 'federation-forget',
  pattern: '17 3 * * *',
  async run(app) {
    const before = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000);
    await write(app, async ({ db }) => {
      await db.deleteFrom('received_activities').where('received_at', '<', before(receivedDays)).execute();
      await db.deleteFrom('reply_walks').where('started_at', '<', before(1)).execute();
      await sql`delete from activities activity where created_at < ${before(1)}
        and not exists (select 1 from deliveries where activity_id = activity.id)`.execute(db);
    });
  },
};
