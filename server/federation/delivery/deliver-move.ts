import type { Subscription } from '../../platform/write/subscriptions.ts';
import { accountMoved, actorUrls } from '../../accounts/index.ts';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId, RowId } from '../../platform/ids.ts';
import { move } from '../documents/activities.ts';
import { actorContext } from '../documents/contexts.ts';
import { blockerInboxes, followerInboxes } from './inboxes.ts';
import { storeActivity } from './store-activity.ts';
import { onLocalProfile } from './on-local.ts';

interface MoveEvent {
  readonly moveId: RowId;
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
}

/**
 * Sends a Move to the servers of the followers, so that they follow the new account, and of the blockers, so that the
 * block also covers it.
 */
async function deliverMove(app: App, { moveId, accountId, targetAccountId }: MoveEvent): Promise<void> {
  const [account, target] = await Promise.all([findAccount(app, accountId), findAccount(app, targetAccountId)]);
  if (account === undefined || account.domain !== null || target === undefined) return;
  const { followers } = actorUrls(app, account.uri);
  const activity = move(account.uri, { id: moveId, target: target.uri, followers });
  await transaction(app, async (tx) => {
    const inboxes = [...(await followerInboxes(tx.db, accountId)), ...(await blockerInboxes(tx.db, accountId))];
    // Same key as the profile, so that the updated profile with `movedTo` arrives before the Move.
    await storeActivity(tx, app, {
      senderId: accountId,
      activity,
      context: actorContext,
      inboxes,
      orderKey: account.uri,
    });
  });
}

export const moveDeliveries: readonly Subscription[] = onLocalProfile([accountMoved], {
  name: 'account.deliver_move',
  run: deliverMove,
});
