import { sql } from 'kysely';
import { tokensRevoked } from '../oauth/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { inTransaction } from '../platform/write/reactions.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { recordStaffAction } from '../site/audit/index.ts';
import type { Staff } from '../site/index.ts';
import { webhooksChanged } from './events.ts';
import { isOwnedBy, type WebhookOwner } from './find-webhooks.ts';
import { writable, type WebhookId } from './tables.ts';

/** Deletes a webhook with its log and the events that wait. Throws 404 if the owner has none with this id. */
export async function deleteWebhook(app: App, id: WebhookId, owner: WebhookOwner): Promise<void> {
  await transaction(app, async ({ db, emit }) => {
    const row = await writable(db)
      .deleteFrom('webhooks')
      .where('id', '=', id)
      .where(isOwnedBy(owner))
      .returning('account_id')
      .executeTakeFirstOrThrow(() => notFound());
    emit(webhooksChanged({ accountId: row.account_id }));
  });
}

/** Deletes a webhook of any token. Throws 404 if there is none. */
export async function deleteWebhookAsStaff(app: App, staff: Staff, id: WebhookId): Promise<void> {
  await transaction(app, async (tx) => {
    const row = await writable(tx.db)
      .deleteFrom('webhooks')
      .where('id', '=', id)
      .returning(['account_id', 'url', 'events'])
      .executeTakeFirstOrThrow(() => notFound());
    tx.emit(webhooksChanged({ accountId: row.account_id }));
    recordStaffAction(tx, staff, {
      target: 'webhook',
      verb: 'delete',
      id,
      // The path may hold a secret.
      label: new URL(row.url).host,
      before: { account_id: row.account_id, events: row.events },
    });
  });
}

/** Deletes the webhooks of revoked tokens. */
export const deleteRevokedWebhooks = inTransaction([tokensRevoked], {
  async run({ db, emit }, _app, { userId = null, applicationId = null, tokenId = null }) {
    // Locked in the order of their ids, as by `insertDeliveries`.
    const { rows } = await sql<{ account_id: AccountId }>`
      with revoked as materialized (
        select webhooks.id from webhooks join oauth_tokens token on token.id = webhooks.token_id
        where token.session_id is null and (${userId}::bigint is null or token.user_id = ${userId}::bigint)
          and (${applicationId}::bigint is null or token.application_id = ${applicationId}::bigint)
          and (${tokenId}::bigint is null or token.id = ${tokenId}::bigint)
        order by webhooks.id for update of webhooks
      )
      delete from webhooks using revoked where webhooks.id = revoked.id
      returning webhooks.account_id`.execute(db);
    for (const accountId of new Set(rows.map((row) => row.account_id))) emit(webhooksChanged({ accountId }));
  },
});
