import { sql } from 'kysely';
import { tokensRevoked } from '../oauth/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { inTransaction } from '../platform/write/reactions.ts';
import type { AccountId } from '../platform/ids.ts';
import { pushSubscriptionChanged } from './events.ts';
import { isHeldBy, type PushHolder } from './holder.ts';
import { writable } from './tables.ts';

/** Deletes the push subscription of an access token or a browser. No-op if it has none. */
export async function deleteSubscription(app: App, holder: PushHolder): Promise<void> {
  await transaction(app, async ({ db, emit }) => {
    const rows = await writable(db)
      .deleteFrom('push_subscriptions')
      .where(isHeldBy(holder))
      .returning('account_id')
      .execute();
    for (const { account_id: accountId } of rows) emit(pushSubscriptionChanged({ accountId }));
  });
}

/** Deletes the push subscriptions of revoked tokens. */
export const deleteRevokedSubscriptions = inTransaction([tokensRevoked], {
  async run({ db, emit }, _app, { userId = null, applicationId = null, tokenId = null }) {
    const { rows } = await sql<{ account_id: AccountId }>`
      delete from push_subscriptions using oauth_tokens token
      where token.id = push_subscriptions.token_id and token.session_id is null
        and (${userId}::bigint is null or token.user_id = ${userId}::bigint)
        and (${applicationId}::bigint is null or token.application_id = ${applicationId}::bigint)
        and (${tokenId}::bigint is null or token.id = ${tokenId}::bigint)
      returning push_subscriptions.account_id`.execute(db);
    for (const accountId of new Set(rows.map((row) => row.account_id))) emit(pushSubscriptionChanged({ accountId }));
  },
});
