import type { Subscription } from '../../platform/events/reactions.ts';
import { accountMoved, actorUrls, findAccount } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import type { AccountId, RowId } from '../../platform/ids.ts';
import { move } from '../documents/activities.ts';
import { actorContext } from '../documents/contexts.ts';
import { blockerInboxes, followerInboxes } from './inboxes.ts';
import { storeActivity } from './store-activity.ts';
import { whenLocalProfile } from './when-local.ts';

interface Moved {
  readonly moveId: RowId;
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
}

/**
 * Tells the servers of the followers that a local account moved, so that these follow the new one; and those of who
 * blocks it, so that they go on doing so.
 */
async function deliverMove(app: App, { moveId, accountId, targetAccountId }: Moved): Promise<void> {
  const [account, target] = await Promise.all([findAccount(app, accountId), findAccount(app, targetAccountId)]);
  if (account === undefined || account.domain !== null || target === undefined) return;
  const { followers } = actorUrls(app, account.username);
  const activity = move(account.uri, { id: moveId, target: target.uri, followers });
  await write(app, async (write) => {
    const inboxes = [...(await followerInboxes(write.db, accountId)), ...(await blockerInboxes(write.db, accountId))];
    // The same key as that of the profile: who is told of the move has read before where it leads.
    await storeActivity(write, app, {
      senderId: accountId,
      activity,
      context: actorContext,
      inboxes,
      orderKey: account.uri,
    });
  });
}

export const moveDeliveries: readonly Subscription[] = whenLocalProfile(accountMoved, 'deliver-move', deliverMove);
