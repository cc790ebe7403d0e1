import { sql } from 'kysely';
import { accountDeleted } from '../accounts/index.ts';
import { transaction } from '../platform/write/transaction.ts';
import { later } from '../platform/write/reactions.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { writable } from './tables.ts';

/** Days until an unconfirmed subscription is deleted. */
const retentionDays = 7;
const batchSize = 1_000;

/** Deletes subscriptions that were not confirmed in a week. */
export const cleanUpUnconfirmed: Schedule = {
  name: 'email_subscription.clean_up_unconfirmed',
  pattern: '17 5 * * *',
  async run(app) {
    const before = new Date(app.clock.now().getTime() - retentionDays * 86_400_000);
    for (let deleted = batchSize; deleted === batchSize;) {
      deleted = await transaction(app, async ({ db }) => {
        const { rows } = await sql`
          delete from email_subscriptions where id in (
            select id from email_subscriptions where confirmed_at is null and created_at < ${before}
            order by created_at limit ${batchSize} for update skip locked)
          returning id`.execute(db);
        return rows.length;
      });
    }
  },
};

/** Deletes the subscriptions to a deleted account, with the addresses. */
export const deleteAccountSubscriptions = later('background', [accountDeleted], {
  name: 'email_subscription.delete_account_subscriptions',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await writable(db).deleteFrom('email_digests').where('account_id', '=', accountId).execute();
      await writable(db).deleteFrom('email_digest_posts').where('account_id', '=', accountId).execute();
      await writable(db).deleteFrom('email_subscriptions').where('account_id', '=', accountId).execute();
    }),
});
