import { notificationCreated } from '../notifications/index.ts';
import { inTransaction } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { sendPush } from './send-push.ts';
import { findTargets } from './push-targets.ts';

/**
 * Stores a job for each subscription that wants a new notification, in the transaction that stores the notification. The
 * requests do not count towards the fetch budget of the activity that caused it.
 */
export const enqueuePushes: Subscription = inTransaction([notificationCreated], {
  async runBatch(tx, app, created) {
    const targets = await findTargets(
      tx,
      app,
      created.map(({ accountId }) => accountId),
    );
    for (const { notificationId, accountId, type } of created) {
      for (const { id: subscriptionId, host, types } of targets.get(accountId) ?? []) {
        if (!types.has(type)) continue;
        tx.enqueue(sendPush({ subscriptionId, notificationId, accountId, attempt: 1 }, { host, fetchBudgetId: null }));
      }
    }
  },
});
