import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { later } from '../platform/write/reactions.ts';
import { HttpError } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { followAccount } from '../relationships/follow/index.ts';
import { signUpCompleted } from '../users/index.ts';
import { writable, type EmailSubscriptionId } from './tables.ts';

/** Maximum number of accounts that one sign-up follows. */
const maxFollows = 100;

/** A user who signs up with a subscribed address follows these accounts instead. */
export const followInstead = later('default', [signUpCompleted], {
  name: 'email_subscription.follow_instead',
  async run(app, { accountId }) {
    for (const subscription of await findSubscriptionsOf(app, accountId)) {
      try {
        await followAccount(app, accountId, subscription.targetId);
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        // The new account follows as many as it may: the other subscriptions stay.
        if (error.status === 422) return;
        // 403, 404: the account blocks the new one, or was deleted, so there is nothing to follow.
        if (error.status !== 403 && error.status !== 404) throw error;
      }
      await transaction(app, async ({ db }) => {
        await writable(db).deleteFrom('email_subscriptions').where('id', '=', subscription.id).execute();
      });
    }
  },
});

async function findSubscriptionsOf({ db }: App, accountId: AccountId) {
  const { rows } = await sql<{ id: EmailSubscriptionId; targetId: AccountId }>`
    select subscription.id, subscription.account_id as "targetId"
    from users join email_subscriptions subscription on subscription.email = lower(users.email)
    where users.account_id = ${accountId}::bigint and subscription.confirmed_at is not null
      and subscription.account_id <> users.account_id
    order by subscription.id limit ${maxFollows}`.execute(db);
  return rows;
}
