import type { App } from '../platform/app.ts';
import { write as inTransaction } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';
import { endFollows, followFacts } from './end-follows.ts';
import { accountUnfollowed, followerRemoved } from './events.ts';

/** Ends a follow, or withdraws the request for it; without either nothing happens. */
export async function unfollowAccount(app: App, accountId: AccountId, targetId: AccountId): Promise<void> {
  await inTransaction(app, async (write) => {
    for (const ended of await endFollows(write, [{ accountId, targetId }])) {
      write.emit(accountUnfollowed(followFacts(ended)));
    }
  });
}

/** Has `followerId` follow `accountId` no longer (ACC-13); nothing happens when it does not. */
export async function removeFollower(app: App, accountId: AccountId, followerId: AccountId): Promise<void> {
  await inTransaction(app, async (write) => {
    const pair = { accountId: followerId, targetId: accountId };
    for (const ended of await endFollows(write, [pair], ['follow'])) {
      write.emit(followerRemoved(followFacts(ended)));
    }
  });
}
