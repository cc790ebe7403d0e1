import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { AccountId, RowId } from '../platform/ids.ts';
import { mutesNotificationsSql } from '../relationships/rules/index.ts';
import { deleteMatching } from './delete-matching.ts';
import { notify, deleteNotifications } from './notify.ts';
import { writable } from './tables.ts';

interface FollowEventPair {
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
}

/** Notifies an account of a new follower that still follows. Deletes the notification of its request. */
export async function notifyOfFollow(
  app: App,
  { followId, ...pair }: FollowEventPair & { followId: RowId },
): Promise<void> {
  await deleteFollowRequestNotifications(app, pair);
  const follow = await app.db.selectFrom('follows').select('id').where('id', '=', followId).executeTakeFirst();
  if (follow === undefined) return;
  await notify(app, { type: 'follow', fromAccountId: pair.accountId, recipients: [pair.targetAccountId] });
}

/** Notifies an account of a follow request that is still pending. */
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

/** Deletes the notification of a rejected request. */
export async function deleteFollowRequestNotifications(
  app: App,
  { accountId, targetAccountId }: FollowEventPair,
): Promise<void> {
  const news = { type: 'follow_request', fromAccountId: accountId, recipients: [targetAccountId] } as const;
  await transaction(app, (tx) => deleteNotifications(tx, news));
}

/** Deletes the notification of a follow or request that ended, unless it was made again. */
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

/** Deletes the notifications between two accounts when one blocks the other, and the permission of the blocked one. */
export async function deleteNotificationsBetween(
  app: App,
  { accountId, targetAccountId }: FollowEventPair,
): Promise<void> {
  await transaction(app, async (tx) => {
    await writable(tx.db)
      .deleteFrom('notification_permissions')
      .where('account_id', '=', accountId)
      .where('from_account_id', '=', targetAccountId)
      .execute();
    await deleteMatching(
      tx,
      sql<boolean>`(account_id = ${accountId}::bigint and from_account_id = ${targetAccountId}::bigint
        or account_id = ${targetAccountId}::bigint and from_account_id = ${accountId}::bigint)`,
    );
  });
}

/** Deletes the notifications from a muted account if the mute hides them. */
export async function deleteMutedNotifications(
  app: App,
  { accountId, targetAccountId }: FollowEventPair,
): Promise<void> {
  const mutes = mutesNotificationsSql(
    sql.ref('notifications.account_id'),
    sql.ref('notifications.from_account_id'),
    app.clock.now(),
  );
  await transaction(app, (tx) =>
    deleteMatching(
      tx,
      sql<boolean>`account_id = ${accountId}::bigint and from_account_id = ${targetAccountId}::bigint and ${mutes}`,
    ),
  );
}
