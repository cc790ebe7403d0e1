import { beforeCommit } from '../../platform/events/reactions.ts';
import { accountSuspended } from '../../accounts/index.ts';

/** Drops everything that waits to be delivered for an account when it is suspended, in the same transaction. */
export const deleteDeliveriesOfSuspended = beforeCommit([accountSuspended], {
  run: async ({ db }, _app, { accountId }) => {
    await db.deleteFrom('activities').where('sender_account_id', '=', accountId).execute();
  },
});
