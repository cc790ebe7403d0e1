import { sql } from 'kysely';
import { accountDeleted, accountSuspended, accountUnsuspended } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { canonicalEmailHash } from './canonical-email.ts';
import { writable } from './tables.ts';

/**
 * Blocks the e-mail addresses of suspended accounts until they are unsuspended, so that their users cannot sign up again.
 * The block of a deleted account stays.
 */
export const blockSuspended: readonly Subscription[] = [
  inTransaction([accountSuspended], {
    runBatch: async ({ db }, app, suspensions) => {
      const ids = suspensions.map(({ accountId }) => accountId);
      const { rows: users } = await sql<{ account_id: AccountId; email: string }>`
        select account_id, email from users where account_id = any(${ids}::bigint[]) order by account_id`.execute(db);
      const now = app.clock.now();
      for (const { account_id, email } of users) {
        await writable(db)
          .insertInto('canonical_email_blocks')
          .values({
            id: newId<'canonical-email-block'>(now),
            canonical_email_hash: canonicalEmailHash(email),
            account_id,
            created_at: now,
          })
          .onConflict((conflict) => conflict.column('canonical_email_hash').doNothing())
          .execute();
      }
    },
  }),
  inTransaction([accountUnsuspended], {
    run: async ({ db }, _app, { accountId }) => {
      await writable(db).deleteFrom('canonical_email_blocks').where('account_id', '=', accountId).execute();
    },
  }),
  inTransaction([accountDeleted], {
    run: async ({ db }, _app, { accountId }) => {
      await writable(db)
        .updateTable('canonical_email_blocks')
        .set({ account_id: null })
        .where('account_id', '=', accountId)
        .execute();
    },
  }),
];
