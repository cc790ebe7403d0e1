import { Type, type Static } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { idSchema } from '../platform/id-schema.ts';
import { defineJob } from '../platform/work/define-job.ts';
import { buildPayload } from './build-payload.ts';
import { pushSubscriptionChanged } from './events.ts';
import { loadPush, type Push } from './load-push.ts';
import { postMessage, type PushOutcome } from './post-message.ts';
import { writable } from './tables.ts';
import { unsubscribeUrl } from './unsubscribe-token.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Older notifications are not pushed, and push services keep none for longer (reference/limits.tsv). */
const maxAgeMs = 2 * dayMs;
/** Delays before the retries of a message. */
const retryDelaysMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 8 * hourMs];
/** A part of the delay that is drawn at random, so that messages that failed together are not retried together. */
const jitter = 0.2;
/** A subscription to which nothing could be sent for this time is deleted. */
const maxFailingMs = 7 * dayMs;

const pushJob = Type.Object({
  subscriptionId: idSchema<'push-subscription'>(),
  notificationId: idSchema<'notification'>(),
  accountId: idSchema<'account'>(),
  attempt: Type.Integer(),
});
type PushJob = Static<typeof pushJob>;

/**
 * Pushes a notification to one subscription. A failed message is retried a few times. The job itself succeeds, so that
 * a push service that is down leaves no failed jobs.
 */
export const sendPush = defineJob(
  'push.send_notification',
  pushJob,
  async (app, job) => {
    const push = await loadPush(app, job);
    if (push === undefined) return;
    const ttlSeconds = Math.floor((push.createdAt.getTime() + maxAgeMs - app.clock.now().getTime()) / 1000);
    if (ttlSeconds <= 0) return;
    const text = await buildPayload(app, push);
    if (text === undefined) return;
    const message = { text, ttlSeconds, unsubscribe: await unsubscribeUrl(app, push) };
    await recordOutcome(app, { job, push }, await postMessage(app, push, message));
  },
  'push',
);

async function recordOutcome(app: App, attempted: Attempted, outcome: PushOutcome): Promise<void> {
  switch (outcome.kind) {
    case 'sent':
      return recordSuccess(app, attempted.push);
    case 'gone':
      return deleteFailing(app, attempted.push);
    case 'rejected':
      return recordFailure(app, attempted.push, outcome.reason);
    case 'failed':
      return retryOrGiveUp(app, attempted, outcome);
  }
}

interface Attempted {
  readonly job: PushJob;
  readonly push: Push;
}

/** Retries later, unless the subscription has been failing before or the notification would be too old. */
async function retryOrGiveUp(
  app: App,
  { job, push }: Attempted,
  { reason, seconds = 0 }: Extract<PushOutcome, { kind: 'failed' }>,
): Promise<void> {
  const delayMs = retryDelaysMs[job.attempt - 1];
  if (delayMs === undefined || push.failingSince !== null) return recordFailure(app, push, reason);
  const waitMs = Math.max(delayMs * (1 + jitter * Math.random()), seconds * 1000);
  const runAt = new Date(app.clock.now().getTime() + waitMs);
  if (runAt.getTime() >= push.createdAt.getTime() + maxAgeMs) return recordFailure(app, push, reason);
  const { host } = new URL(push.endpoint);
  await transaction(app, async ({ enqueue }) => {
    enqueue(sendPush({ ...job, attempt: job.attempt + 1 }, { host, runAt, fetchBudgetId: null }));
  });
}

async function recordSuccess(app: App, { subscriptionId, endpoint, failingSince }: Push): Promise<void> {
  if (failingSince === null) return;
  await transaction(app, async ({ db }) => {
    await writable(db)
      .updateTable('push_subscriptions')
      .set({ failing_since: null })
      .where('id', '=', subscriptionId)
      .where('endpoint', '=', endpoint)
      .execute();
  });
}

/** Records that a message was given up. Deletes the subscription once nothing was accepted for a week. */
async function recordFailure(app: App, push: Push, reason: string): Promise<void> {
  const { subscriptionId, endpoint, failingSince } = push;
  app.log.debug({ host: new URL(endpoint).host, reason }, 'a push message was not accepted');
  const now = app.clock.now();
  if (failingSince !== null) {
    if (now.getTime() - failingSince.getTime() >= maxFailingMs) await deleteFailing(app, push);
    return;
  }
  await transaction(app, async ({ db }) => {
    await writable(db)
      .updateTable('push_subscriptions')
      .set({ failing_since: now })
      .where('id', '=', subscriptionId)
      .where('endpoint', '=', endpoint)
      .where('failing_since', 'is', null)
      .execute();
  });
}

/** Deletes a subscription, unless the client replaced its endpoint meanwhile. */
async function deleteFailing(app: App, { subscriptionId, accountId, endpoint }: Push): Promise<void> {
  await transaction(app, async ({ db, emit }) => {
    await writable(db)
      .deleteFrom('push_subscriptions')
      .where('id', '=', subscriptionId)
      .where('endpoint', '=', endpoint)
      .execute();
    emit(pushSubscriptionChanged({ accountId }));
  });
}
