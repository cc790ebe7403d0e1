import type { Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import { presentWebhookState, shownColumns } from '../find-webhooks.ts';
import { selectDeliveries, presentDelivery } from '../list-deliveries.ts';
import type { WebhookId, WebhookTables } from '../tables.ts';
import { type StaffDelivery, type StaffEvent, staffEvents, type StaffWebhook } from './schema.ts';
import { isOneOf } from '../../platform/known-names.ts';

/** The columns that `presentStaffWebhook` needs. */
export const staffColumns = [...shownColumns, 'template'] as const;
type StaffRow = Pick<Selectable<WebhookTables['webhooks']>, (typeof staffColumns)[number]>;

/** Lists the webhooks of staff, newest first. There are few. */
export async function listStaffWebhooks({ db }: App): Promise<StaffWebhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(staffColumns)
    .where('account_id', 'is', null)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(presentStaffWebhook);
}

/** Returns a webhook of staff. Throws 404 if there is none with this id. */
export async function requireStaffWebhook({ db }: App, id: WebhookId): Promise<StaffWebhook> {
  const row = await db
    .selectFrom('webhooks')
    .select(staffColumns)
    .where('id', '=', id)
    .where('account_id', 'is', null)
    .executeTakeFirstOrThrow(() => notFound());
  return presentStaffWebhook(row);
}

/** Locks a webhook of staff until the end of the transaction. Throws 404 if there is none with this id. */
export async function lockStaffWebhook({ db }: Transaction, id: WebhookId): Promise<StaffRow> {
  return db
    .selectFrom('webhooks')
    .select(staffColumns)
    .where('id', '=', id)
    .where('account_id', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}

/** Returns a page of the events of a webhook of staff, newest first: those that wait, and the last that were sent. */
export async function listStaffDeliveries(app: App, id: WebhookId, page: Page): Promise<StaffDelivery[]> {
  await requireStaffWebhook(app, id);
  return (await selectDeliveries(app, page, { webhookId: id })).map((row) => ({
    ...presentDelivery(row),
    event: row.event as StaffEvent,
  }));
}

export const presentStaffWebhook = (row: StaffRow): StaffWebhook => ({
  ...presentWebhookState(row),
  events: row.events.filter((event) => isOneOf(staffEvents, event)),
  template: row.template,
});
