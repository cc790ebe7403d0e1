import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { idSchema } from '../platform/id-schema.ts';
import { defineJob } from '../platform/work/define-job.ts';
import { isRetryableStatementError } from '../platform/database/retryable-errors.ts';
import { describeTemporaryFailure } from '../platform/temporary-failures.ts';
import { buildBody } from './build-body.ts';
import { findNextDelivery, type NextDelivery } from './pending-deliveries.ts';
import { recordAttempt, recordPostponement, type NextStep } from './record-attempt.ts';
import { sendDelivery } from './send-delivery.ts';
import { writable, type WebhookId } from './tables.ts';

const jobName = 'webhook.deliver_events';
/** Events that one job sends before others have a turn. */
const maxPerRun = 10;

/** Sends the events of a webhook that wait, in their order, until one fails. Jobs of one webhook run one at a time. */
export const deliverWebhook = defineJob(
  jobName,
  Type.Object({ webhookId: idSchema<'webhook'>() }),
  async (app, { webhookId }) => {
    let delivery = await findNextDelivery(app, webhookId);
    for (let sent = 0; delivery !== undefined; sent += 1) {
      const webhook = { id: webhookId, url: delivery.url };
      if (sent === maxPerRun) return transaction(app, async (tx) => startDeliveries(tx, webhook));
      if (!(await deliver(app, delivery))) return;
      delivery = await findNextDelivery(app, webhookId);
    }
  },
  'webhooks',
);

/** Stores a job that sends the events of a webhook that wait, at once or at `runAt`. */
export function startDeliveries(
  { enqueue }: Transaction,
  { id, url }: { readonly id: WebhookId; readonly url: string },
  runAt?: Date,
): void {
  const { host } = new URL(url);
  const options = { key: `webhook ${id}`, host, fetchBudgetId: null, ...(runAt !== undefined && { runAt }) };
  enqueue(deliverWebhook({ webhookId: id }, options));
}

/** Sends one event and records the result. Returns whether the next one may be sent now. */
async function deliver(app: App, delivery: NextDelivery): Promise<boolean> {
  let body: string | undefined;
  try {
    body = await buildBody(app, delivery);
  } catch (error) {
    return recordBuildFailure(app, delivery, error);
  }
  if (body === undefined) return deleteDelivery(app, delivery);
  const result = await sendDelivery(app, delivery, body);
  return advance(app, delivery, (tx) => recordAttempt(tx, app, delivery, result));
}

/**
 * Leaves an event out that cannot be presented because of a bug, so that it does not hold up those after it. An event
 * that may succeed later waits, a few times.
 */
async function recordBuildFailure(app: App, delivery: NextDelivery, error: unknown): Promise<boolean> {
  if (describeTemporaryFailure(error) !== undefined) throw error;
  app.reportJobFailure(jobName, error);
  if (!isRetryableStatementError(error)) return deleteDelivery(app, delivery);
  return advance(app, delivery, (tx) => recordPostponement(tx, app, delivery));
}

/** Records a result, and stores a job if the webhook pauses. Returns whether the next event may be sent now. */
async function advance(
  app: App,
  { webhookId: id, url }: NextDelivery,
  record: (tx: Transaction) => Promise<NextStep>,
): Promise<boolean> {
  return transaction(app, async (tx) => {
    const next = await record(tx);
    if (next instanceof Date) startDeliveries(tx, { id, url }, next);
    return next === 'continue';
  });
}

async function deleteDelivery(app: App, { id }: NextDelivery): Promise<true> {
  await transaction(app, ({ db }) => writable(db).deleteFrom('webhook_deliveries').where('id', '=', id).execute());
  return true;
}
