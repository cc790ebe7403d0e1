import { sql } from 'kysely';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { transaction } from '../../platform/write/transaction.ts';

/** Days that the history of a block shows. */
const retentionDays = 7;

/** Deletes the counts of attempts that the history of blocked e-mail domains no longer shows. */
export const cleanUpEmailBlockAttempts: Schedule = {
  name: 'user.clean_up_email_block_attempts',
  pattern: '19 4 * * *',
  run: (app) =>
    transaction(app, async ({ db }) => {
      const oldest = new Date(app.clock.now().getTime() - retentionDays * 86_400_000);
      await sql`delete from email_domain_block_attempts where day <= ${oldest}::date`.execute(db);
    }),
};
