import { sql } from 'kysely';
import { accountDeleted } from '../accounts/index.ts';
import { transaction } from '../platform/database/transaction.ts';
import { on } from '../platform/events/reactions.ts';
import type { Schedule } from '../platform/jobs/run-schedules.ts';

/** Days until an import that was not confirmed is deleted. */
const unconfirmedDays = 1;
/** Days until a finished import is deleted, with the lines that failed. */
const finishedDays = 30;
const batchSize = 100;
const dayMs = 86_400_000;

/** Deletes imports that were not confirmed in a day, and finished ones after a month. */
export const cleanUpImports: Schedule = {
  name: 'account_data.clean_up_imports',
  pattern: '37 4 * * *',
  async run(app) {
    const now = app.clock.now().getTime();
    for (let deleted = batchSize; deleted === batchSize;) {
      deleted = await transaction(app, async ({ db }) => {
        const { rows } = await sql`
          delete from imports where id in (
            select id from imports
            where (state = 'unconfirmed' and created_at < ${new Date(now - unconfirmedDays * dayMs)})
              or (state = 'finished' and created_at < ${new Date(now - finishedDays * dayMs)})
            order by created_at limit ${batchSize} for update skip locked)
          returning id`.execute(db);
        return rows.length;
      });
    }
  },
};

/** Deletes the imports of a deleted account. */
export const deleteAccountImports = on([accountDeleted], {
  name: 'account_data.delete_account_imports',
  queue: 'background',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await db.deleteFrom('imports').where('account_id', '=', accountId).execute();
    }),
});
