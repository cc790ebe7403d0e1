import { on } from '../platform/events/reactions.ts';
import { sql } from 'kysely';
import { accountDeleted } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';

/** Notifications of one statement. */
const chunk = 1_000;

/** An account that is gone is told of nothing, and nobody is told of what it did. */
export const forgetAccount = on([accountDeleted], {
  name: 'notifications-account-deleted',
  queue: 'background',
  run: async (app, { accountId }) => {
    for (const side of ['account_id', 'from_account_id'] as const) {
      while ((await forgetSome(app, side, accountId)) === chunk);
    }
  },
});

function forgetSome(app: App, side: 'account_id' | 'from_account_id', accountId: AccountId): Promise<number> {
  return write(app, async ({ db }) => {
    const { rows } = await sql`
      delete from notifications where (account_id, id) in (
        select account_id, id from notifications where ${sql.ref(side)} = ${accountId}::bigint limit ${chunk})
      returning id`.execute(db);
    return rows.length;
  });
}
