import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { deleteFollows, toFollowPayload } from './delete-follows.ts';
import { accountUnfollowed, followerRemoved } from '../events.ts';

/** Unfollows an account, or withdraws the request. Returns false if there is neither. */
export async function unfollowAccount(app: App, accountId: AccountId, targetId: AccountId): Promise<boolean> {
  return transaction(app, async (tx) => {
    const follows = await deleteFollows(tx, [{ accountId, targetId }]);
    for (const follow of follows) tx.emit(accountUnfollowed(toFollowPayload(follow)));
    return follows.length > 0;
  });
}

/** Removes a follower (ACC-13). No-op if it does not follow. */
export async function removeFollower(app: App, accountId: AccountId, followerId: AccountId): Promise<void> {
  await transaction(app, async (tx) => {
    const pair = { accountId: followerId, targetId: accountId };
    for (const follow of await deleteFollows(tx, [pair], ['follow'])) {
      tx.emit(followerRemoved(toFollowPayload(follow)));
    }
  });
}
