import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { type AccountId, type AnyId, newId, type TokenId } from '../platform/ids.ts';
import { writable, type AnyWebhookEvent, type WebhookDeliveryId, type WebhookId } from './tables.ts';

/** Events of one webhook that wait at the same time. Further ones are only counted. */
const maxPending = 1_000;

/** An event for one webhook. */
export interface NewDelivery {
  readonly webhookId: WebhookId;
  readonly event: AnyWebhookEvent;
  readonly subjectId: string;
}

/**
 * Stores events for enabled webhooks, and returns those of the webhooks that need a job: the others have one already,
 * because they pause or earlier events wait. The rows of the webhooks stay locked until the commit, so that a job that
 * ends sees these events, or the events see that it has ended.
 */
export async function insertDeliveries(
  { db }: Transaction,
  app: App,
  deliveries: readonly NewDelivery[],
): Promise<ReadonlySet<WebhookId>> {
  const now = app.clock.now();
  const ids = [...new Set(deliveries.map(({ webhookId }) => webhookId))];
  const { rows: locked } = await sql<{ id: WebhookId }>`
    select id from webhooks where id = any(${ids}::bigint[]) and disabled_at is null
    order by id for no key update`.execute(db);
  const { rows } = await sql<{ id: WebhookId }>`
    with target as materialized (
      select id, retry_at > ${now} as is_paused,
        exists (select from webhook_deliveries where webhook_id = webhooks.id and state = 'pending') as has_pending,
        exists (select from webhook_deliveries where webhook_id = webhooks.id and state = 'pending'
          offset ${maxPending - 1}) as is_full
      from webhooks where id = any(${locked.map(({ id }) => id)}::bigint[])
    ), event as (
      select * from unnest(${deliveries.map(() => newId<'webhook-delivery'>(now))}::bigint[],
        ${deliveries.map(({ webhookId }) => webhookId)}::bigint[], ${deliveries.map(({ event }) => event)}::text[],
        ${deliveries.map(({ subjectId }) => subjectId)}::bigint[]) as event(id, webhook_id, name, subject_id)
    ), stored as (
      insert into webhook_deliveries (id, webhook_id, event, subject_id, created_at)
      select event.id, event.webhook_id, event.name, event.subject_id, ${now}
      from event join target on target.id = event.webhook_id where not target.is_full
    ), dropped as (
      update webhooks set dropped_events = dropped_events + lost.count
      from (select webhook_id, count(*) from event group by webhook_id) lost
        join target on target.id = lost.webhook_id and target.is_full
      where webhooks.id = lost.webhook_id
    )
    select id from target where not has_pending and is_paused is not true`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The user of a webhook, and the token that created it. */
export interface WebhookOwner {
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
}

/** An event to send now, with its webhook. */
export interface NextDelivery {
  readonly id: WebhookDeliveryId;
  readonly event: AnyWebhookEvent | 'webhook.ping';
  readonly subjectId: AnyId | null;
  readonly createdAt: Date;
  /** Failed attempts so far. */
  readonly attempts: number;
  readonly webhookId: WebhookId;
  /** Null: a webhook of staff. */
  readonly owner: WebhookOwner | null;
  readonly url: string;
  /** The body of a webhook of staff; null: the whole event. */
  readonly template: string | null;
  /** The secrets that sign, the current one first. */
  readonly keys: readonly Buffer[];
}

/** Returns the oldest event of a webhook that waits; undefined if none does, or the webhook pauses or is disabled. */
export async function findNextDelivery(app: App, webhookId: WebhookId): Promise<NextDelivery | undefined> {
  const now = app.clock.now();
  return transaction(app, async ({ db }) => {
    const webhook = await db
      .selectFrom('webhooks')
      .select(['account_id', 'token_id', 'url', 'template', 'retry_at'])
      .select(['secret', 'previous_secret', 'previous_secret_expires_at'])
      .where('id', '=', webhookId)
      .where('disabled_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (webhook === undefined || (webhook.retry_at !== null && webhook.retry_at > now)) return undefined;
    const delivery = await db
      .selectFrom('webhook_deliveries')
      .select(['id', 'event', 'subject_id as subjectId', 'created_at as createdAt', 'attempts'])
      .where('webhook_id', '=', webhookId)
      .where('state', '=', 'pending')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (delivery === undefined) {
      // Otherwise a process whose clock is behind would still see a pause, which this job was to end.
      if (webhook.retry_at !== null)
        await writable(db).updateTable('webhooks').set({ retry_at: null }).where('id', '=', webhookId).execute();
      return undefined;
    }
    const { account_id: accountId, token_id: tokenId, url, template, secret, previous_secret: previous } = webhook;
    const owner = accountId === null || tokenId === null ? null : { accountId, tokenId };
    const isOverlapping = webhook.previous_secret_expires_at !== null && webhook.previous_secret_expires_at > now;
    const keys = previous !== null && isOverlapping ? [secret, previous] : [secret];
    return { ...delivery, webhookId, owner, url, template, keys };
  });
}

/** Deletes the events of a webhook that wait. */
export async function deletePendingDeliveries({ db }: Transaction, id: WebhookId): Promise<void> {
  await writable(db)
    .deleteFrom('webhook_deliveries')
    .where('webhook_id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}
