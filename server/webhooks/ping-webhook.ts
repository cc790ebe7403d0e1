import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { unprocessable } from '../platform/http/http-errors.ts';
import { newId, type TokenId } from '../platform/ids.ts';
import { startDeliveries } from './deliver-webhook.ts';
import { deliveryColumns, presentDelivery } from './list-deliveries.ts';
import type { WebhookDelivery } from './schema.ts';
import { writable, type WebhookId } from './tables.ts';
import { lockWebhook } from './update-webhook.ts';

/**
 * Stores a `webhook.ping` after the events that wait, and ends a pause after failures. Returns the one that waits already
 * if there is one. Throws 404 if the webhook belongs to another token, 422 if it is disabled.
 */
export async function pingWebhook(app: App, tokenId: TokenId, id: WebhookId): Promise<WebhookDelivery> {
  return transaction(app, async (tx) => {
    const { db } = tx;
    const { url, disabled_at: disabledAt } = await lockWebhook(tx, { tokenId }, id);
    if (disabledAt !== null) throw unprocessable('webhooks.disabled');
    await writable(db).updateTable('webhooks').set({ retry_at: null }).where('id', '=', id).execute();
    startDeliveries(tx, { id, url });
    const waiting = await db
      .selectFrom('webhook_deliveries')
      .select(deliveryColumns)
      .where('webhook_id', '=', id)
      .where('event', '=', 'webhook.ping')
      .where('state', '=', 'pending')
      .executeTakeFirst();
    if (waiting !== undefined) return presentDelivery(waiting);
    const now = app.clock.now();
    const created = await writable(db)
      .insertInto('webhook_deliveries')
      .values({ id: newId<'webhook-delivery'>(now), webhook_id: id, event: 'webhook.ping', created_at: now })
      .returning(deliveryColumns)
      .executeTakeFirstOrThrow();
    return presentDelivery(created);
  });
}
