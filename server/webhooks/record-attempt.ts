import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { webhooksChanged } from './events.ts';
import { pauseEnd } from './pauses.ts';
import { deletePendingDeliveries, type NextDelivery } from './pending-deliveries.ts';
import type { DisabledReason } from './schema.ts';
import type { AttemptResult } from './send-delivery.ts';
import { writable, type WebhookId } from './tables.ts';

/** Maximum number of attempts to send one event; they take about 18 hours. */
const maxAttempts = 8;
/** A webhook is disabled after failing for this time and at least this many times in a row. */
const maxFailingMs = 72 * 3_600_000;
const minFailures = 5;
/** Finished events that the log of a webhook has. */
const maxLogged = 100;

/** What to do after an attempt: send the next event now, at a time, or never. */
export type NextStep = 'continue' | 'stop' | Date;

/**
 * Records an attempt in the log and the state of the webhook, and disables the webhook if it is gone or failed for too
 * long.
 */
export async function recordAttempt(
  tx: Transaction,
  app: App,
  delivery: NextDelivery,
  result: AttemptResult,
): Promise<NextStep> {
  const webhook = await tx.db
    .selectFrom('webhooks')
    .select(['failures', 'outages', 'failing_since'])
    .where('id', '=', delivery.webhookId)
    .where('disabled_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (webhook === undefined) return 'stop';
  await recordDelivery(tx, app, delivery, result);
  if (result.kind === 'delivered') {
    const now = app.clock.now();
    const healthy = { failures: 0, outages: 0, failing_since: null, retry_at: null, last_delivered_at: now };
    await writable(tx.db).updateTable('webhooks').set(healthy).where('id', '=', delivery.webhookId).execute();
    return 'continue';
  }
  return recordFailure(tx, app, { delivery, result, webhook });
}

/**
 * Records that this server could not present an event for the moment, which says nothing about the receiver. The event
 * is given up after as many attempts as any other.
 */
export async function recordPostponement(tx: Transaction, app: App, delivery: NextDelivery): Promise<NextStep> {
  const isFinal = await recordDelivery(tx, app, delivery, { kind: 'failed', responseStatus: null, error: 'internal' });
  return isFinal ? 'continue' : pauseEnd(app.clock.now(), delivery.attempts + 1);
}

/** Returns whether it was the last attempt to send the event. */
async function recordDelivery(
  { db }: Transaction,
  app: App,
  { id, webhookId, attempts }: NextDelivery,
  { kind, responseStatus, error }: AttemptResult,
): Promise<boolean> {
  const isFinal = kind !== 'failed' || attempts + 1 >= maxAttempts;
  await writable(db)
    .updateTable('webhook_deliveries')
    .set({
      state: kind === 'delivered' ? 'delivered' : isFinal ? 'failed' : 'pending',
      attempts: attempts + 1,
      response_status: responseStatus,
      error,
      last_attempt_at: app.clock.now(),
    })
    .where('id', '=', id)
    .execute();
  if (!isFinal) return false;
  await sql`delete from webhook_deliveries where webhook_id = ${webhookId} and state <> 'pending' and id <= (
    select id from webhook_deliveries where webhook_id = ${webhookId} and state <> 'pending'
    order by id desc offset ${maxLogged} limit 1)`.execute(db);
  return true;
}

interface FailedAttempt {
  readonly delivery: NextDelivery;
  readonly result: AttemptResult;
  readonly webhook: { readonly failures: number; readonly outages: number; readonly failing_since: Date | null };
}

async function recordFailure(
  tx: Transaction,
  app: App,
  { delivery, result, webhook }: FailedAttempt,
): Promise<NextStep> {
  const now = app.clock.now();
  const { webhookId, owner } = delivery;
  const failures = webhook.failures + 1;
  const failingSince = webhook.failing_since ?? now;
  const isTooLong = now.getTime() - failingSince.getTime() >= maxFailingMs && failures >= minFailures;
  // A receiver that rejects an event is up.
  const outages = result.kind === 'failed' ? webhook.outages + 1 : 0;
  const retryAt = outages > 0 ? pauseEnd(now, outages, result.retryAfterSeconds) : null;
  await writable(tx.db)
    .updateTable('webhooks')
    .set({ failures, outages, failing_since: failingSince, retry_at: retryAt })
    .where('id', '=', webhookId)
    .execute();
  if (result.kind === 'gone' || isTooLong) {
    await disable(tx, app, webhookId, result.kind === 'gone' ? 'gone' : 'failures');
    tx.emit(webhooksChanged({ accountId: owner?.accountId ?? null }));
    return 'stop';
  }
  return retryAt ?? 'continue';
}

async function disable(tx: Transaction, app: App, id: WebhookId, reason: DisabledReason): Promise<void> {
  await writable(tx.db)
    .updateTable('webhooks')
    .set({ disabled_at: app.clock.now(), disabled_reason: reason, retry_at: null })
    .where('id', '=', id)
    .execute();
  await deletePendingDeliveries(tx, id);
}
