import type { Subscription } from '../../platform/write/subscriptions.ts';
import { actorUrls } from '../../accounts/index.ts';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { staysHere, visibilityToOthers } from '../../statuses/visibility/index.ts';
import { statusReblogged, statusUnreblogged } from '../../statuses/index.ts';
import { audienceOf, undo } from '../documents/activities.ts';
import { announceDocuments } from '../documents/announce-documents.ts';
import { noteContext } from '../documents/contexts.ts';
import { announceGroupPost, undoGroupPost } from './deliver-group-activities.ts';
import { accountInboxes, followerInboxes } from './inboxes.ts';
import { storeActivity } from './store-activity.ts';
import { lockLocalStatus, storeStatusActivity } from './store-status-activity.ts';
import { onLocal } from './on-local.ts';

/** Sends a reblog by a local account to the servers of its followers and of the original author. */
async function deliverReblog(
  app: App,
  { statusId, accountId, reblogOfId }: { statusId: StatusId; accountId: AccountId; reblogOfId: StatusId },
): Promise<void> {
  const activity = (await announceDocuments(app, [statusId])).get(statusId);
  if (activity === undefined) return;
  await storeStatusActivity(app, statusId, { activity, context: noteContext }, (db, reblog) =>
    reblogInboxes(db, reblog.account_id, statusId),
  );
  await announceGroupPost(app, { groupId: accountId, statusId: reblogOfId, orderKey: String(activity['id']) });
}

/** Sends the Undo of a reblog to the same servers. */
async function deliverUnreblog(
  app: App,
  data: { statusId: StatusId; reblogOfId: StatusId; accountId: AccountId; uri?: string | undefined },
): Promise<void> {
  const { statusId, reblogOfId, accountId } = data;
  const actor = await findAccount(app, accountId);
  if (actor === undefined || actor.domain !== null) return;
  await transaction(app, async (tx) => {
    const original = await tx.db
      .selectFrom('statuses')
      .select(['uri', 'account_id'])
      .where('id', '=', reblogOfId)
      .executeTakeFirst();
    if (original === undefined) return;
    const reblog = await lockLocalStatus(tx, statusId);
    if (reblog !== undefined && staysHere(reblog.visibility)) return;
    const visibility = visibilityToOthers(reblog?.visibility ?? 'public', { silenced: actor.silenced_at !== null });
    const audience = audienceOf(visibility, actorUrls(app, actor.uri).followers, []);
    const id = data.uri ?? reblog?.uri;
    if (id === undefined) return;
    const announce = { id, type: 'Announce', actor: actor.uri, ...audience, object: original.uri };
    await storeActivity(tx, app, {
      senderId: accountId,
      activity: undo(actor.uri, announce, `${actor.uri}#announces/${statusId}/undo`, audience),
      context: noteContext,
      inboxes: [...(await followerInboxes(tx.db, accountId)), ...(await accountInboxes(tx.db, [original.account_id]))],
      orderKey: id,
    });
    await undoGroupPost(tx, app, { groupId: accountId, statusId: reblogOfId, orderKey: id });
  });
}

async function reblogInboxes(db: App['db'], accountId: AccountId, statusId: StatusId): Promise<string[]> {
  const original = await db
    .selectFrom('statuses as reblog')
    .innerJoin('statuses as original', 'original.id', 'reblog.reblog_of_id')
    .select('original.account_id')
    .where('reblog.id', '=', statusId)
    .executeTakeFirst();
  return [...(await followerInboxes(db, accountId)), ...(await accountInboxes(db, [original?.account_id ?? null]))];
}

export const reblogDeliveries: readonly Subscription[] = [
  ...onLocal([statusReblogged], { name: 'status.deliver_reblog', run: deliverReblog }),
  ...onLocal([statusUnreblogged], { name: 'status.deliver_unreblog', run: deliverUnreblog }),
];
