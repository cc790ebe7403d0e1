import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';

/** Age of a decision at which the held post is deleted, in days. */
const retentionDays = 30;
/** Rows deleted in one transaction. */
const batchSize = 1_000;

/** Deletes held posts about which staff decided long ago. Pending ones stay. */
export const cleanUpHeldPosts: Schedule = {
  name: 'status.clean_up_held_posts',
  pattern: '41 3 * * *',
  async run(app) {
    while ((await deleteBatch(app)) === batchSize);
  },
};

function deleteBatch(app: App): Promise<number> {
  const before = new Date(app.clock.now().getTime() - retentionDays * 86_400_000);
  return transaction(app, async ({ db }) => {
    const { rows } = await sql`delete from held_posts where id in (
      select id from held_posts where decided_at < ${before} limit ${batchSize}) returning id`.execute(db);
    return rows.length;
  });
}
