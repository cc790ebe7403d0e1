import { sql } from 'kysely';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { accountDeleted, accountUpdated, instanceActorId } from '../../accounts/index.ts';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { deleteActor, updateActor } from '../documents/activities.ts';
import { actorDocument } from '../documents/actor-document.ts';
import { activityStreams, actorContext } from '../documents/contexts.ts';
import { listRelayInboxes } from './deliver-to-relays.ts';
import { allInboxes, followerInboxes } from './inboxes.ts';
import { signForForwarding } from './sign-for-forwarding.ts';
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

/** Sends the deletion of a local account to every known server, and to relays. */
async function deliverAccountDelete(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  const account = await app.db
    .selectFrom('accounts')
    .select(['uri', 'domain', 'activated'])
    .select(
      sql<boolean>`exists (select from account_keys where account_id = accounts.id and private_key_pem is not null)`.as(
        'has_key',
      ),
    )
    .where('id', '=', accountId)
    .executeTakeFirst();
  // An account without a key was never served to another server.
  if (account === undefined || account.domain !== null || !account.activated || !account.has_key) return;
  const inboxes = [...(await allInboxes(app.db)), ...(await listRelayInboxes(app, 'mastodon'))];
  if (inboxes.length === 0) return;
  const deletion = { activity: deleteActor(account.uri), context: [activityStreams] };
  const signed = await signForForwarding(app, accountId, deletion);
  await transaction(app, (tx) =>
    storeActivity(tx, app, { senderId: accountId, ...signed, inboxes, orderKey: account.uri }),
  );
}

export const profileDeliveries: readonly Subscription[] = [
  ...onLocalProfile([accountUpdated], { name: 'account.deliver_update', run: deliverProfile }),
  ...onLocalProfile([accountDeleted], { name: 'account.deliver_delete', run: deliverAccountDelete }),
];
