import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';

/** Endorses an account on the profile (ACC-12). Idempotent. Throws 422 if it is not followed; unfollowing unendorses. */
export async function endorseAccount(app: App, accountId: AccountId, targetId: AccountId): Promise<void> {
  await transaction(app, async (tx) => {
    // The lock makes a concurrent unfollow wait, which then deletes the endorsement.
    await tx.db
      .selectFrom('follows')
      .select('id')
      .where('account_id', '=', accountId)
      .where('target_account_id', '=', targetId)
      .forShare()
      .executeTakeFirstOrThrow(() => validationFailed('relationships.endorseUnfollowed'));
    const now = app.clock.now();
    await writable(tx.db)
      .insertInto('endorsements')
      .values({ id: newId<'row'>(now), account_id: accountId, target_account_id: targetId, created_at: now })
      .onConflict((conflict) => conflict.columns(['account_id', 'target_account_id']).doNothing())
      .execute();
  });
}

/** Removes an endorsement. No-op if there is none. */
export async function unendorseAccount(app: App, accountId: AccountId, targetId: AccountId): Promise<void> {
  await transaction(app, ({ db }) =>
    writable(db)
      .deleteFrom('endorsements')
      .where('account_id', '=', accountId)
      .where('target_account_id', '=', targetId)
      .execute(),
  );
}
