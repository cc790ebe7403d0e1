import { sql, type Selectable } from 'kysely';
import type { App } from '../platform/app.ts';
import { pagedQuery } from '../platform/database/paged-query.ts';
import type { Page } from '../platform/http/pages.ts';
import type { TokenId } from '../platform/ids.ts';
import { requireWebhook } from './find-webhooks.ts';
import type { WebhookDelivery } from './schema.ts';
import type { WebhookId, WebhookTables } from './tables.ts';

/** The columns that `presentDelivery` needs. */
export const deliveryColumns = [
  'id',
  'event',
  'state',
  'attempts',
  'response_status',
  'error',
  'created_at',
  'last_attempt_at',
] as const;
type DeliveryRow = Pick<Selectable<WebhookTables['webhook_deliveries']>, (typeof deliveryColumns)[number]>;

/** Selects a page of the events of a webhook, newest first. */
export const selectDeliveries = pagedQuery<DeliveryRow>()<{ webhookId: WebhookId }>((db, args, order) =>
  db
    .selectFrom('webhook_deliveries')
    .select(deliveryColumns)
    .where('webhook_id', '=', args.webhookId)
    .where(sql<boolean>`id < ${args.below}::bigint and id > ${args.above}::bigint`)
    .orderBy(sql`id ${order}`)
    .limit(sql<number>`${args.limit}::int`),
);

/** Returns a page of the events of a webhook, newest first: those that wait, and the last that were sent. Throws 404. */
export async function listDeliveries(
  app: App,
  tokenId: TokenId,
  id: WebhookId,
  page: Page,
): Promise<WebhookDelivery[]> {
  await requireWebhook(app, tokenId, id);
  return (await selectDeliveries(app, page, { webhookId: id })).map(presentDelivery);
}

export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    ...row,
    event: row.event as WebhookDelivery['event'],
    created_at: row.created_at.toISOString(),
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
  };
}
