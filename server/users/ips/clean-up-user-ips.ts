import { sql } from 'kysely';
import { transaction } from '../../platform/write/transaction.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';

const dayMs = 86_400_000;
const retentionDays = 365;
const batchSize = 1000;

/** Deletes addresses that were not used for a year (reference/limits.tsv, IP retention), in batches. */
export const cleanUpUserIps: Schedule = {
  name: 'user.clean_up_ips',
  pattern: '39 4 * * *',
  async run(app) {
    const oldest = new Date(app.clock.now().getTime() - retentionDays * dayMs);
    for (let deletedCount = batchSize; deletedCount === batchSize;) {
      deletedCount = await transaction(app, async ({ db }) => {
        const { rows } = await sql`
          delete from user_ips where (user_id, ip) in (
            select user_id, ip from user_ips where used_at < ${oldest} limit ${batchSize})
          returning user_id`.execute(db);
        return rows.length;
      });
    }
  },
};
