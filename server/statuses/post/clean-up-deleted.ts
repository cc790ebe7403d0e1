import { later } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { sql } from 'kysely';
import { adjustAccountStats } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { statusDeleted } from '../events.ts';
import { writable } from '../tables.ts';

const batchSize = 500;
const dayMs = 86_400_000;
/** How long the row of a deleted status is retained, for reports about it. */
const retentionDays = 30;

/** Marks the reblogs of a deleted status as deleted and updates the counters. Viewers no longer see them anyway. */
export const deleteReblogsOfDeleted: Subscription = later('default', [statusDeleted], {
  name: 'status.delete_reblogs',
  run: async (app, { statusId }) => {
    while ((await deleteReblogBatch(app, statusId)) === batchSize);
  },
});

function deleteReblogBatch(app: App, statusId: StatusId): Promise<number> {
  return transaction(app, async (tx) => {
    const { rows } = await sql<{ account_id: AccountId }>`
      update statuses set deleted_at = ${app.clock.now()}
      where id in (
        select id from statuses where reblog_of_id = ${statusId} and deleted_at is null
        order by id limit ${batchSize} for update skip locked)
      returning account_id`.execute(tx.db);
    const deltas = rows.map(({ account_id: accountId }) => ({ accountId, statuses: -1 }));
    adjustAccountStats(tx, deltas);
    return rows.length;
  });
}

/** Deletes the rows of statuses that were marked as deleted 30 days ago, in batches. */
export const cleanUpDeletedStatuses: Schedule = {
  name: 'status.clean_up_deleted',
  pattern: '17 3 * * *',
  async run(app) {
    const before = new Date(app.clock.now().getTime() - retentionDays * dayMs);
    for (let deletedCount = batchSize; deletedCount === batchSize;) {
      deletedCount = await transaction(app, async ({ db }) => {
        const { rows } = await sql`
          delete from statuses where id in (
            select id from statuses where deleted_at < ${before} order by deleted_at limit ${batchSize})
          returning id`.execute(db);
        return rows.length;
      });
    }
  },
};

/** Deletes expired idempotency keys. */
export const expireIdempotencyKeys: Schedule = {
  name: 'status.expire_idempotency_keys',
  pattern: '*/20 * * * *',
  async run(app) {
    const now = app.clock.now();
    await transaction(app, ({ db }) =>
      writable(db).deleteFrom('idempotency_keys').where('expires_at', '<=', now).execute(),
    );
  },
};
