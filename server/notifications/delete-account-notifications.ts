import { later } from '../platform/write/reactions.ts';
import { sql } from 'kysely';
import { accountDeleted } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { announceChanges } from './announce-changes.ts';
import { writable } from './tables.ts';

/** Notifications deleted in one statement. */
const batchSize = 1_000;

/** Deletes the notifications to and from a deleted account, with its requests, permissions and policy. */
export const deleteAccountNotifications = later('background', [accountDeleted], {
  name: 'notification.delete_account_notifications',
  run: async (app, { accountId }) => {
    for (const side of ['account_id', 'from_account_id'] as const) {
      while ((await deleteBatch(app, side, accountId)) === batchSize);
    }
    await transaction(app, async ({ db }) => {
      for (const table of ['notification_requests', 'notification_permissions'] as const) {
        await writable(db)
          .deleteFrom(table)
          .where((where) => where.or([where('account_id', '=', accountId), where('from_account_id', '=', accountId)]))
          .execute();
      }
      await writable(db).deleteFrom('notification_policies').where('account_id', '=', accountId).execute();
    });
  },
});

function deleteBatch(app: App, side: 'account_id' | 'from_account_id', accountId: AccountId): Promise<number> {
  return transaction(app, async (tx) => {
    const { rows } = await sql<{ account_id: AccountId }>`
      delete from notifications where (account_id, id) in (
        select account_id, id from notifications where ${sql.ref(side)} = ${accountId}::bigint limit ${batchSize})
      returning account_id`.execute(tx.db);
    announceChanges(tx, rows);
    return rows.length;
  });
}
