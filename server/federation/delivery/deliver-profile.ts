import { accountDeleted, accountUpdated, findAccount, instanceActorId } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { Subscription } from '../../platform/jobs/events.ts';
import { statusPinned, statusUnpinned } from '../../statuses/index.ts';
import { actorUrls } from '../../accounts/index.ts';
import { deleteActor, updateActor } from '../documents/activities.ts';
import { actorDocument } from '../documents/actor-document.ts';
import { actorContext } from '../documents/contexts.ts';
import { allInboxes, followerInboxes } from './inboxes.ts';
import { storeActivity } from './store-activity.ts';
import { whenLocal } from './when-local.ts';

/** Sends a changed local profile to the servers of its followers. */
async function deliverProfile(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  const account = await findAccount(app, accountId);
  if (account === undefined || account.domain !== null || !account.activated || accountId === instanceActorId) return;
  const activity = updateActor(await actorDocument(app, account), app.clock.now());
  await write(app, async (write) => {
    const inboxes = await followerInboxes(write.db, accountId);
    await storeActivity(write, app, {
      senderId: accountId,
      activity,
      context: actorContext,
      inboxes,
      orderKey: account.uri,
    });
  });
}

/** Tells every known server that a local account is gone for good. */
async function deliverEnd(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  const account = await app.db
    .selectFrom('accounts')
    .select(['uri', 'domain', 'activated'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (account === undefined || account.domain !== null || !account.activated) return;
  await write(app, async (write) => {
    const inboxes = await allInboxes(write.db);
    await storeActivity(write, app, {
      senderId: accountId,
      activity: deleteActor(account.uri),
      inboxes,
      orderKey: account.uri,
    });
  });
}

interface Pin {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
}

/** Tells the followers' servers which posts stand on top of a local profile. */
async function deliverPin(app: App, type: 'Add' | 'Remove', { statusId, accountId }: Pin): Promise<void> {
  const account = await findAccount(app, accountId);
  if (account === undefined || account.domain !== null) return;
  await write(app, async (write) => {
    const status = await write.db.selectFrom('statuses').select('uri').where('id', '=', statusId).executeTakeFirst();
    if (status === undefined) return;
    const activity = {
      type,
      actor: account.uri,
      object: status.uri,
      target: actorUrls(app, account.username).featured,
    };
    const inboxes = await followerInboxes(write.db, accountId);
    await storeActivity(write, app, { senderId: accountId, activity, inboxes, orderKey: `pin ${status.uri}` });
  });
}

export const profileDeliveries: readonly Subscription[] = [
  ...whenLocal(accountUpdated, 'deliver-profile', deliverProfile),
  ...whenLocal(accountDeleted, 'deliver-account-deletion', deliverEnd),
  ...whenLocal(statusPinned, 'deliver-pin', (app, data: Pin) => deliverPin(app, 'Add', data)),
  ...whenLocal(statusUnpinned, 'deliver-unpin', (app, data: Pin) => deliverPin(app, 'Remove', data)),
];
