import { sql } from 'kysely';
import { inTransaction } from '../../platform/write/reactions.ts';
import { accountSuspended } from '../../accounts/index.ts';

/** Deletes all pending deliveries of an account in the transaction that suspends it. */
export const deleteDeliveriesOfSuspended = inTransaction([accountSuspended], {
  runBatch: async ({ db }, _app, suspended) => {
    const ids = suspended.map(({ accountId }) => accountId);
    await sql`delete from activities where sender_account_id = any(${ids}::bigint[])`.execute(db);
  },
});
