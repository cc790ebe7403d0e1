import type { Subscription } from '../../platform/write/subscriptions.ts';
import { accountDeleted, accountUpdated, instanceActorId } from '../../accounts/index.ts';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { deleteActor, updateActor } from '../documents/activities.ts';
import { actorDocument } from '../documents/actor-document.ts';
import { actorContext } from '../documents/contexts.ts';
import { allInboxes, followerInboxes } from './inboxes.ts';
import { storeActivity } from './store-activity.ts';
import { onLocalProfile } from './on-local.ts';

/** Sends a changed local profile to the servers of its followers. */
async function deliverProfile(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  const account = await findAccount(app, accountId);
  if (account === undefined || account.domain !== null || !account.activated || accountId === instanceActorId) return;
  const activity = updateActor(await actorDocument(app, account), app.clock.now());
  await transaction(app, async (tx) => {
    const inboxes = await followerInboxes(tx.db, accountId);
    await storeActivity(tx, app, {
      senderId: accountId,
      activity,
      context: actorContext,
      inboxes,
      orderKey: account.uri,
    });
  });
}

/** Sends the deletion of a local account to every known server. */
async function deliverAccountDelete(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  const account = await app.db
    .selectFrom('accounts')
    .select(['uri', 'domain', 'activated'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (account === undefined || account.domain !== null || !account.activated) return;
  await transaction(app, async (tx) => {
    const inboxes = await allInboxes(tx.db);
    await storeActivity(tx, app, {
      senderId: accountId,
      activity: deleteActor(account.uri),
      inboxes,
      orderKey: account.uri,
    });
  });
}

export const profileDeliveries: readonly Subscription[] = [
  ...onLocalProfile([accountUpdated], { name: 'account.deliver_update', run: deliverProfile }),
  ...onLocalProfile([accountDeleted], { name: 'account.deliver_delete', run: deliverAccountDelete }),
];
