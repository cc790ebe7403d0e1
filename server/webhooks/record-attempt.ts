import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import { webhooksChanged } from './events.ts';
import { deletePendingDeliveries, type NextDelivery } from './pending-deliveries.ts';
import type { DisabledReason } from './schema.ts';
import type { AttemptResult } from './send-delivery.ts';
import type { WebhookId } from './tables.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** Pauses after one failed attempt, two in a row and so on; the last one applies to all further ones. */
const pausesMs = [10 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs];
/** A part of the pause that is drawn at random, so that webhooks that failed together do not retry together. */
const jitter = 0.2;
/** Maximum number of attempts to send one event; they take about 18 hours. */
const maxAttempts = 8;
/** A webhook is disabled after failing for this time and at least this many times in a row. */
const maxFailingMs = 72 * hourMs;
const minFailures = 5;
/** Finished events that the log of a webhook has. */
const maxLogged = 100;

/**
 * Records an attempt in the log and the state of the webhook, and disables the webhook if it is gone or failed for too
 * long. Returns whether to send the next event now, later, or never.
 */
export async function recordAttempt(
  tx: Transaction,
  app: App,
  delivery: NextDelivery,
  result: AttemptResult,
): Promise<'continue' | 'stop' | Date> {
  const webhook = await tx.db
    .selectFrom('webhooks')
    .select(['failures', 'failing_since'])
    .where('id', '=', delivery.webhookId)
    .where('disabled_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (webhook === undefined) return 'stop';
  await recordDelivery(tx, app, delivery, result);
  if (result.kind === 'delivered') {
    const now = app.clock.now();
    const healthy = { failures: 0, failing_since: null, retry_at: null, last_delivered_at: now };
    await tx.db.updateTable('webhooks').set(healthy).where('id', '=', delivery.webhookId).execute();
    return 'continue';
  }
  return recordFailure(tx, app, { delivery, result, webhook });
}

async function recordDelivery(
  { db }: Transaction,
  app: App,
  { id, webhookId, attempts }: NextDelivery,
  { kind, responseStatus, error }: AttemptResult,
): Promise<void> {
  const isFinal = kind !== 'failed' || attempts + 1 >= maxAttempts;
  await db
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
  if (!isFinal) return;
  await sql`delete from webhook_deliveries where webhook_id = ${webhookId} and state <> 'pending' and id <= (
    select id from webhook_deliveries where webhook_id = ${webhookId} and state <> 'pending'
    order by id desc offset ${maxLogged} limit 1)`.execute(db);
}

interface FailedAttempt {
  readonly delivery: NextDelivery;
  readonly result: AttemptResult;
  readonly webhook: { readonly failures: number; readonly failing_since: Date | null };
}

async function recordFailure(
  tx: Transaction,
  app: App,
  { delivery, result, webhook }: FailedAttempt,
): Promise<'continue' | 'stop' | Date> {
  const now = app.clock.now();
  const { webhookId, accountId } = delivery;
  const failures = webhook.failures + 1;
  const failingSince = webhook.failing_since ?? now;
  const isTooLong = now.getTime() - failingSince.getTime() >= maxFailingMs && failures >= minFailures;
  const retryAt = result.kind === 'failed' ? pauseEnd(now, failures, result.retryAfterSeconds) : null;
  await tx.db
    .updateTable('webhooks')
    .set({ failures, failing_since: failingSince, retry_at: retryAt })
    .where('id', '=', webhookId)
    .execute();
  if (result.kind === 'gone' || isTooLong) {
    await disable(tx, app, webhookId, result.kind === 'gone' ? 'gone' : 'failures');
    tx.emit(webhooksChanged({ accountId }));
    return 'stop';
  }
  return retryAt ?? 'continue';
}

async function disable(tx: Transaction, app: App, id: WebhookId, reason: DisabledReason): Promise<void> {
  await tx.db
    .updateTable('webhooks')
    .set({ disabled_at: app.clock.now(), disabled_reason: reason, retry_at: null })
    .where('id', '=', id)
    .execute();
  await deletePendingDeliveries(tx, id);
}

function pauseEnd(now: Date, failures: number, requestedSeconds = 0): Date {
  const pauseMs = pausesMs[Math.min(failures, pausesMs.length) - 1] ?? 0;
  const waitMs = Math.max(pauseMs * (1 + jitter * Math.random()), requestedSeconds * 1000);
  return new Date(now.getTime() + waitMs);
}
