import type { Schedule } from '../platform/work/run-schedules.ts';
import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { deleteMatching } from './delete-matching.ts';

/** Age at which a notification is deleted, in days. */
const retentionDays = 365;
/** Rows deleted in one transaction. */
const batchSize = 5_000;

/** Deletes notifications that are older than a year. */
export const cleanUpNotifications: Schedule = {
  name: 'notification.clean_up_old',
  pattern: '11 3 * * *',
  async run(app) {
    while ((await deleteBatch(app)) === batchSize);
  },
};

function deleteBatch(app: App): Promise<number> {
  const before = new Date(app.clock.now().getTime() - retentionDays * 86_400_000);
  return transaction(app, (tx) =>
    deleteMatching(
      tx,
      sql<boolean>`(account_id, id) in (
        select account_id, id from notifications where created_at < ${before} limit ${batchSize})`,
    ),
  );
}
