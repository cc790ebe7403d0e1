import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { TokenId } from '../platform/ids.ts';
import { startDeliveries } from './deliver-webhook.ts';
import { webhooksChanged } from './events.ts';
import { isOwnedBy, presentWebhook, shownColumns, type WebhookOwner } from './find-webhooks.ts';
import { parseWebhook } from './parse-webhook.ts';
import type { CredentialWebhook, Webhook, WebhookEvent, WebhookInput } from './schema.ts';
import { deletePendingDeliveries } from './pending-deliveries.ts';
import { formatSecret, newSigningKey } from './sign-message.ts';
import { writable, type WebhookId } from './tables.ts';
import { disabledState, enabledState, healthyState } from './webhook-states.ts';

/** How long a replaced secret still signs. */
const overlapMs = 24 * 3_600_000;

/** Who changes a webhook. */
export interface Manager {
  readonly owner: WebhookOwner;
  readonly scopes: ReadonlySet<string>;
}

/**
 * Changes the given settings of a webhook. Disabling it deletes the events that wait; enabling it, or a new address, ends
 * a pause after failures. Throws 404 if it belongs to another owner, otherwise as `createWebhook`.
 */
export async function updateWebhook(
  app: App,
  { owner, scopes }: Manager,
  id: WebhookId,
  input: WebhookInput & { readonly enabled?: boolean },
): Promise<Webhook> {
  return transaction(app, async (tx) => {
    const { db, emit } = tx;
    const current = await lockWebhook(tx, owner, id);
    const before = { url: current.url, events: current.events as WebhookEvent[] };
    const { url, events } = parseWebhook(app, scopes, input, before);
    const now = app.clock.now();
    const row = await writable(db)
      .updateTable('webhooks')
      .set({
        url,
        events: [...events],
        updated_at: now,
        ...(url !== current.url && healthyState),
        ...(input.enabled === true && enabledState),
        ...(input.enabled === false && current.disabled_at === null && disabledState(now)),
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
    const { secret: previous } = await lockWebhook(tx, { tokenId }, id);
    const now = app.clock.now();
    const row = await writable(tx.db)
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

/** Locks a webhook until the end of the transaction. Throws 404 if it belongs to another owner. */
export function lockWebhook({ db }: Transaction, owner: WebhookOwner, id: WebhookId) {
  return db
    .selectFrom('webhooks')
    .select(['account_id', 'url', 'events', 'secret', 'disabled_at'])
    .where('id', '=', id)
    .where(isOwnedBy(owner))
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}
