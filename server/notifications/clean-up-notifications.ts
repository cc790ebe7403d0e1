import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { transaction } from '../platform/write/transaction.ts';
import { siteSettings } from '../site/index.ts';
import { deleteMatching } from './delete-matching.ts';

/** Rows deleted in one transaction. */
const batchSize = 5_000;
const dayMs = 86_400_000;

/** Deletes notifications that are older than the site retains them. */
export const cleanUpNotifications: Schedule = {
  name: 'notification.clean_up_old',
  pattern: '11 3 * * *',
  async run(app) {
    const { notificationRetentionDays: days } = await siteSettings(app);
    if (days > 0) await deleteOldNotifications(app, days);
  },
};

/** Returns the number of notifications that are older than `days` days. */
export async function countOldNotifications(app: App, days: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from notifications where created_at < ${startOf(app, days)}`.execute(app.db);
  return rows[0]?.count ?? 0;
}

/** Deletes notifications that are older than `days` days, in batches. Returns their number. */
export async function deleteOldNotifications(app: App, days: number): Promise<number> {
  let deleted = 0;
  for (let count = batchSize; count === batchSize; deleted += count) count = await deleteBatch(app, startOf(app, days));
  return deleted;
}

const startOf = (app: App, days: number): Date => new Date(app.clock.now().getTime() - days * dayMs);

function deleteBatch(app: App, before: Date): Promise<number> {
  return transaction(app, (tx) =>
    deleteMatching(
      tx,
      sql<boolean>`(account_id, id) in (
        select account_id, id from notifications where created_at < ${before} limit ${batchSize})`,
    ),
  );
}
