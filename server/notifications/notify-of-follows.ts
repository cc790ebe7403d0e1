import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { AccountId, RowId } from '../platform/ids.ts';
import { mutesNotificationsSql } from '../relationships/index.ts';
import { notify, deleteNotifications } from './notify.ts';

interface FollowEventPair {
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
}

/** Tells an account of a new follower, if it still follows. Its request, if there was one, is answered by that. */
export async function notifyOfFollow(
  app: App,
  { followId, ...pair }: FollowEventPair & { followId: RowId },
): Promise<void> {
  await deleteFollowRequestNotifications(app, pair);
  const follow = await app.db.selectFrom('follows').select('id').where('id', '=', followId).executeTakeFirst();
  if (follow === undefined) return;
  await notify(app, { type: 'follow', fromAccountId: pair.accountId, recipients: [pair.targetAccountId] });
}

/** Tells an account that somebody asks to follow it, while the request waits. */
export async function notifyOfFollowRequest(
  app: App,
  { requestId, ...pair }: FollowEventPair & { requestId: RowId },
): Promise<void> {
  const request = await app.db
    .selectFrom('follow_requests')
    .select('id')
    .where('id', '=', requestId)
    .executeTakeFirst();
  if (request === undefined) return;
  await notify(app, { type: 'follow_request', fromAccountId: pair.accountId, recipients: [pair.targetAccountId] });
}

/** Takes back the notification of a request that was answered. */
export async function deleteFollowRequestNotifications(
  app: App,
  { accountId, targetAccountId }: FollowEventPair,
): Promise<void> {
  const news = { type: 'follow_request', fromAccountId: accountId, recipients: [targetAccountId] } as const;
  await transaction(app, (tx) => deleteNotifications(tx, news));
}

/** Takes back what was told of a follow or a request that ended, unless it began again meanwhile. */
export async function deleteFollowNotifications(
  app: App,
  { accountId, targetAccountId }: FollowEventPair,
): Promise<void> {
  await transaction(app, async (tx) => {
    for (const [table, type] of [
      ['follows', 'follow'],
      ['follow_requests', 'follow_request'],
    ] as const) {
      const existing = await tx.db
        .selectFrom(table)
        .select('id')
        .where('account_id', '=', accountId)
        .where('target_account_id', '=', targetAccountId)
        .executeTakeFirst();
      if (existing !== undefined) continue;
      await deleteNotifications(tx, { type, fromAccountId: accountId, recipients: [targetAccountId] });
    }
  });
}

/** Removes what two accounts were told of each other, when one blocks the other. */
export async function deleteNotificationsBetween(
  app: App,
  { accountId, targetAccountId }: FollowEventPair,
): Promise<void> {
  await transaction(app, async ({ db }) => {
    await db
      .deleteFrom('notifications')
      .where((where) =>
        where.or([
          where.and({ account_id: accountId, from_account_id: targetAccountId }),
          where.and({ account_id: targetAccountId, from_account_id: accountId }),
        ]),
      )
      .execute();
  });
}

/** Removes what a muted account caused, when its notifications are hidden too. */
export async function deleteMutedNotifications(
  app: App,
  { accountId, targetAccountId }: FollowEventPair,
): Promise<void> {
  await transaction(app, async ({ db }) => {
    await db
      .deleteFrom('notifications')
      .where('account_id', '=', accountId)
      .where('from_account_id', '=', targetAccountId)
      .where(
        mutesNotificationsSql(
          sql.ref('notifications.account_id'),
          sql.ref('notifications.from_account_id'),
          app.clock.now(),
        ),
      )
      .execute();
  });
}
