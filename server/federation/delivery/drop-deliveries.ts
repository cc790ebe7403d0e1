import { accountSuspended } from '../../accounts/index.ts';
import { within } from '../../platform/jobs/events.ts';

/** Drops everything that waits to be delivered for an account when it is suspended, in the same transaction. */
export const dropDeliveriesOfSuspended = within(
  accountSuspended,
  'drop-deliveries-of-suspended',
  async ({ db }, _app, { accountId }) => {
    await db.deleteFrom('activities').where('sender_account_id', '=', accountId).execute();
  },
);
