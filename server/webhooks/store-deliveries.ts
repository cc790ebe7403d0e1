import { notificationCreated } from '../notifications/index.ts';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { publish, inTransaction } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { AccountId } from '../platform/ids.ts';
import { accountFollowed } from '../relationships/index.ts';
import { statusCreated, statusDeleted, statusEdited, statusReblogged, statusUnreblogged } from '../statuses/index.ts';
import { startDeliveries } from './deliver-webhook.ts';
import { insertDeliveries } from './pending-deliveries.ts';
import type { WebhookEvent } from './schema.ts';
import { cacheAccounts, cacheStaffEvents, findTargets } from './webhook-targets.ts';

/** An event of an account. */
interface Occurrence {
  readonly accountId: AccountId;
  readonly event: WebhookEvent;
  /** The status, notification or account that it is about. */
  readonly subjectId: string;
}

interface StatusChange {
  readonly accountId: AccountId;
  readonly statusId: string;
}

/** Stores events for the webhooks that want them, and a job for each webhook that has none. */
async function storeOccurrences(tx: Transaction, app: App, occurrences: readonly Occurrence[]): Promise<void> {
  if (occurrences.length === 0) return;
  const targets = await findTargets(
    tx,
    app,
    occurrences.map(({ accountId }) => accountId),
  );
  const wanted = occurrences.flatMap(({ accountId, event, subjectId }) =>
    targets
      .filter((target) => target.accountId === accountId && target.events.includes(event))
      .map((target) => ({ target, webhookId: target.id, event, subjectId })),
  );
  if (wanted.length === 0) return;
  const idle = await insertDeliveries(tx, app, wanted);
  for (const target of new Set(wanted.map((each) => each.target))) if (idle.has(target.id)) startDeliveries(tx, target);
}

const toOccurrence =
  (event: WebhookEvent) =>
  ({ accountId, statusId }: StatusChange): Occurrence => ({ accountId, event, subjectId: statusId });

/** Last, because the rows of webhooks stay locked until the commit. */
const locks = 'webhooks';

export const storeReactions: readonly Subscription[] = [
  inTransaction([statusCreated, statusReblogged], {
    locks,
    runBatch: (tx, app, changes) => storeOccurrences(tx, app, changes.map(toOccurrence('status.created'))),
  }),
  inTransaction([statusEdited], {
    locks,
    runBatch: (tx, app, changes) => storeOccurrences(tx, app, changes.map(toOccurrence('status.updated'))),
  }),
  inTransaction([statusDeleted, statusUnreblogged], {
    locks,
    runBatch: (tx, app, changes) => storeOccurrences(tx, app, changes.map(toOccurrence('status.deleted'))),
  }),
  inTransaction([notificationCreated], {
    locks,
    runBatch: (tx, app, created) =>
      storeOccurrences(
        tx,
        app,
        created.map(({ accountId, notificationId }) => ({
          accountId,
          event: 'notification.created',
          subjectId: notificationId,
        })),
      ),
  }),
  inTransaction([accountFollowed], {
    locks,
    runBatch: (tx, app, follows) =>
      storeOccurrences(
        tx,
        app,
        follows.flatMap(({ accountId, targetAccountId }) => [
          { accountId, event: 'follow.created', subjectId: targetAccountId },
          { accountId: targetAccountId, event: 'follower.created', subjectId: accountId },
        ]),
      ),
  }),
  // Spares the next events that no webhook wants the query for it.
  publish([statusCreated, statusReblogged, notificationCreated, accountFollowed], {
    onlyHere: true,
    async runBatch(app) {
      await cacheAccounts(app);
      await cacheStaffEvents(app);
    },
  }),
];
