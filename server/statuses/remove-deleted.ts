import { on, type Subscription } from '../platform/events/reactions.ts';
import type { Schedule } from '../platform/jobs/schedule.ts';
import { sql } from 'kysely';
import { adjustAccountStats } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { statusDeleted } from './events.ts';

const chunk = 500;
const day = 86_400_000;
/** How long the row of a deleted status stays, for reports about it. */
const keptDays = 30;

/** Readers see no reblog of what is gone; here their rows go the same way, so that they count no more. */
export const removeReblogsOfDeleted: Subscription = on([statusDeleted], {
  name: 'statuses.remove-reblogs-of-deleted',
  run: async (app, { statusId }) => {
    while ((await hideReblogs(app, statusId)) === chunk);
  },
});

function hideReblogs(app: App, statusId: StatusId): Promise<number> {
  return write(app, async (transaction) => {
    const { rows } = await sql<{ account_id: AccountId }>`
      update statuses set deleted_at = ${app.clock.now()}
      where id in (
        select id from statuses where reblog_of_id = ${statusId} and deleted_at is null
        order by id limit ${chunk} for update skip locked)
      returning account_id`.execute(transaction.db);
    const deltas = rows.map(({ account_id: accountId }) => ({ accountId, statuses: -1 }));
    await adjustAccountStats(transaction, deltas);
    return rows.length;
  });
}

/** Ends the rows of what was deleted a month ago, with all that hangs on them, a part at a time. */
export const removeDeleted: Schedule = {
  name: 'statuses.remove-deleted',
  pattern: '17 3 * * *',
  async run(app) {
    const before = new Date(app.clock.now().getTime() - keptDays * day);
    for (let removed = chunk; removed === chunk;) {
      removed = await write(app, async ({ db }) => {
        const { rows } = await sql`
          delete from statuses where id in (
            select id from statuses where deleted_at < ${before} order by deleted_at limit ${chunk})
          returning id`.execute(db);
        return rows.length;
      });
    }
  },
};

/** Forgets idempotency keys that no request can meet any more. */
export const forgetKeys: Schedule = {
  name: 'statuses.forget-idempotency-keys',
  pattern: '*/20 * * * *',
  async run(app) {
    const before = new Date(app.clock.now().getTime() - day / 24);
    await write(app, ({ db }) => db.deleteFrom('idempotency_keys').where('created_at', '<=', before).execute());
  },
};
