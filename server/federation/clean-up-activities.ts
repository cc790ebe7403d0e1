import type { Schedule } from '../platform/work/run-schedules.ts';
import { sql } from 'kysely';
import { transaction } from '../platform/write/transaction.ts';
import { writable } from './tables.ts';

const receivedRetentionDays = 14;

/**
 * Deletes, once a day, ids of received activities whose signatures have expired, and activities without pending
 * deliveries.
 */
export const cleanUpActivities: Schedule = {
  name: 'federation.clean_up_activities',
  pattern: '17 3 * * *',
  async run(app) {
    const before = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000);
    await transaction(app, async ({ db }) => {
      await writable(db)
        .deleteFrom('received_activities')
        .where('received_at', '<', before(receivedRetentionDays))
        .execute();
      await writable(db).deleteFrom('reply_walks').where('started_at', '<', before(1)).execute();
      await sql`delete from activities activity where created_at < ${before(1)}
        and not exists (select 1 from deliveries where activity_id = activity.id)`.execute(db);
    });
  },
};
