import type { Schedule } from '../platform/jobs/schedule.ts';
import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';

/** Days that a notification is kept. */
const keptDays = 365;
/** Rows of one transaction. */
const chunk = 5_000;

/** Forgets what people were told more than a year ago. */
export const forgetOld: Schedule = {
  name: 'notifications.forget-old',
  pattern: '11 3 * * *',
  async run(app) {
    while ((await forgetSome(app)) === chunk);
  },
};

function forgetSome(app: App): Promise<number> {
  const before = new Date(app.clock.now().getTime() - keptDays * 86_400_000);
  return write(app, async ({ db }) => {
    const { numAffectedRows = 0n } = await sql`
      delete from notifications where (account_id, id) in (
        select account_id, id from notifications where created_at < ${before} limit ${chunk})`.execute(db);
    return Number(numAffectedRows);
  });
}
