import type { Subscription } from '../../platform/write/subscriptions.ts';
import { actorUrls } from '../../accounts/index.ts';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type StatusId, type TagId } from '../../platform/ids.ts';
import { statusPinned, statusUnpinned } from '../../statuses/index.ts';
import { staysHere } from '../../statuses/visibility/index.ts';
import { tagFeatured, tagUnfeatured } from '../../hashtags/index.ts';
import { addOrRemove } from '../documents/activities.ts';
import { noteContext } from '../documents/contexts.ts';
import { featuredHashtag } from '../documents/hashtag.ts';
import { followerInboxes } from './inboxes.ts';
import { storeActivity } from './store-activity.ts';
import { onLocalProfile } from './on-local.ts';

type ChangeType = 'Add' | 'Remove';

/** Sends the servers of the followers a change of the featured items of a local account. */
async function sendFeaturedChange(
  app: App,
  type: ChangeType,
  accountId: AccountId,
  find: (tx: Transaction, username: string) => Promise<unknown>,
): Promise<void> {
  const account = await findAccount(app, accountId);
  if (account === undefined || account.domain !== null) return;
  await transaction(app, async (tx) => {
    const object = await find(tx, account.username);
    if (object === undefined) return;
    await storeActivity(tx, app, {
      senderId: accountId,
      activity: addOrRemove(type, account.uri, {
        id: newId<'activity'>(app.clock.now()),
        object,
        target: actorUrls(app, account.uri).featured,
      }),
      context: noteContext,
      inboxes: await followerInboxes(tx.db, accountId),
      orderKey: `featured ${account.uri}`,
    });
  });
}

interface PinEvent {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
}

/** The activity has only the id of the post, so that nobody sees a post without permission. */
function deliverPin(app: App, type: ChangeType, { statusId, accountId }: PinEvent): Promise<void> {
  return sendFeaturedChange(app, type, accountId, async ({ db }) => {
    const status = await db
      .selectFrom('statuses')
      .select(['uri', 'visibility'])
      .where('id', '=', statusId)
      .executeTakeFirst();
    return status === undefined || staysHere(status.visibility) ? undefined : status.uri;
  });
}

interface FeaturedTagEvent {
  readonly tagId: TagId;
  readonly accountId: AccountId;
}

function deliverFeaturedTag(app: App, type: ChangeType, { tagId, accountId }: FeaturedTagEvent): Promise<void> {
  return sendFeaturedChange(app, type, accountId, async ({ db }, username) => {
    const tag = await db.selectFrom('tags').select(['name', 'display_name']).where('id', '=', tagId).executeTakeFirst();
    return tag && featuredHashtag(app, username, tag);
  });
}

export const featuredDeliveries: readonly Subscription[] = [
  ...onLocalProfile([statusPinned], { name: 'status.deliver_pin', run: (app, data) => deliverPin(app, 'Add', data) }),
  ...onLocalProfile([statusUnpinned], {
    name: 'status.deliver_unpin',
    run: (app, data) => deliverPin(app, 'Remove', data),
  }),
  ...onLocalProfile([tagFeatured], {
    name: 'tag.deliver_feature',
    run: (app, data) => deliverFeaturedTag(app, 'Add', data),
  }),
  ...onLocalProfile([tagUnfeatured], {
    name: 'tag.deliver_unfeature',
    run: (app, data) => deliverFeaturedTag(app, 'Remove', data),
  }),
];
