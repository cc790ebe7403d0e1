import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { later } from '../platform/write/reactions.ts';
import type { AccountId } from '../platform/ids.ts';
import { followIfPossible } from '../relationships/follow/index.ts';
import { signUpCompleted } from '../users/index.ts';
import { writable, type EmailSubscriptionId } from './tables.ts';

/** Maximum number of accounts that one sign-up follows. */
const maxFollows = 100;

/** A user who signs up with a subscribed address follows these accounts instead. */
export const followInstead = later('default', [signUpCompleted], {
  name: 'email_subscription.follow_instead',
  async run(app, { accountId }) {
    for (const subscription of await findSubscriptionsOf(app, accountId)) {
      // The other subscriptions stay.
      if ((await followIfPossible(app, accountId, subscription.targetId)) === 'too many') return;
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
