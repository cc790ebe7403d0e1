import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { TokenId } from '../platform/ids.ts';
import { startDeliveries } from './deliver-webhook.ts';
import { webhooksChanged } from './events.ts';
import { presentWebhook, shownColumns } from './find-webhooks.ts';
import { parseWebhook } from './parse-webhook.ts';
import type { CredentialWebhook, Webhook, WebhookInput } from './schema.ts';
import { formatSecret, newSigningKey } from './sign-message.ts';
import type { WebhookId } from './tables.ts';

/** How long a replaced secret still signs. */
const overlapMs = 24 * 3_600_000;

/** The token of a request. */
export interface Manager {
  readonly tokenId: TokenId;
  readonly scopes: ReadonlySet<string>;
}

/** No failures and no pause. */
const healthy = { failures: 0, outages: 0, failing_since: null, retry_at: null };
const enabled = { ...healthy, disabled_at: null, disabled_reason: null };

/**
 * Changes the given settings of a webhook. Disabling it deletes the events that wait; enabling it, or a new address, ends
 * a pause after failures. Throws 404 if it belongs to another token, otherwise as `createWebhook`.
 */
export async function updateWebhook(
  app: App,
  { tokenId, scopes }: Manager,
  id: WebhookId,
  input: WebhookInput & { readonly enabled?: boolean },
): Promise<Webhook> {
  return transaction(app, async (tx) => {
    const { db, emit } = tx;
    const current = await lockWebhook(tx, tokenId, id);
    const { url, events } = parseWebhook(app, scopes, input, current);
    const now = app.clock.now();
    const disabled = { disabled_at: now, disabled_reason: 'owner' as const, retry_at: null };
    const row = await db
      .updateTable('webhooks')
      .set({
        url,
        events: [...events],
        updated_at: now,
        ...(url !== current.url && healthy),
        ...(input.enabled === true && enabled),
        ...(input.enabled === false && current.disabled_at === null && disabled),
      })
      .where('id', '=', id)
      .returning(shownColumns)
      .executeTakeFirstOrThrow();
    if (row.disabled_reason === null) startDeliveries(tx, { id, url });
    else await deletePendingDeliveries(tx, id);
    emit(webhooksChanged({ accountId: current.account_id }));
    return presentWebhook(row);
  });
}

/**
 * Replaces the secret of a webhook, and returns the webhook with the new one. For a day, messages are signed with both.
 * Throws 404 if it belongs to another token.
 */
export async function rotateSecret(app: App, tokenId: TokenId, id: WebhookId): Promise<CredentialWebhook> {
  const secret = newSigningKey();
  return transaction(app, async (tx) => {
    const { secret: previous } = await lockWebhook(tx, tokenId, id);
    const now = app.clock.now();
    const row = await tx.db
      .updateTable('webhooks')
      .set({
        secret,
        previous_secret: previous,
        previous_secret_expires_at: new Date(now.getTime() + overlapMs),
        updated_at: now,
      })
      .where('id', '=', id)
      .returning(shownColumns)
      .executeTakeFirstOrThrow();
    return { ...presentWebhook(row), secret: formatSecret(secret) };
  });
}

/** Locks a webhook until the end of the transaction. Throws 404 if it belongs to another token. */
export async function lockWebhook({ db }: Transaction, tokenId: TokenId, id: WebhookId) {
  const row = await db
    .selectFrom('webhooks')
    .select(['account_id', 'url', 'events', 'secret', 'disabled_at'])
    .where('id', '=', id)
    .where('token_id', '=', tokenId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/** Deletes the events of a webhook that wait. */
export async function deletePendingDeliveries({ db }: Transaction, id: WebhookId): Promise<void> {
  await db.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).where('state', '=', 'pending').execute();
}
