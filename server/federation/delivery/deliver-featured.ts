import type { Subscription } from '../../platform/events/reactions.ts';
import { actorUrls, findAccount } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { write, type Write } from '../../platform/database/write.ts';
import { newId, type AccountId, type StatusId, type TagId } from '../../platform/ids.ts';
import { statusPinned, statusUnpinned } from '../../statuses/index.ts';
import { tagFeatured, tagUnfeatured } from '../../tags/index.ts';
import { showcase } from '../documents/activities.ts';
import { noteContext } from '../documents/contexts.ts';
import { featuredHashtag } from '../documents/hashtag.ts';
import { followerInboxes } from './inboxes.ts';
import { storeActivity } from './store-activity.ts';
import { whenLocalProfile } from './when-local.ts';

type Change = 'Add' | 'Remove';

/** Tells the followers' servers that something stands on a local profile, or does so no longer. */
async function deliver(
  app: App,
  type: Change,
  accountId: AccountId,
  find: (write: Write, username: string) => Promise<unknown>,
): Promise<void> {
  const account = await findAccount(app, accountId);
  if (account === undefined || account.domain !== null) return;
  await write(app, async (write) => {
    const object = await find(write, account.username);
    if (object === undefined) return;
    await storeActivity(write, app, {
      senderId: accountId,
      activity: showcase(type, account.uri, {
        id: newId<'activity'>(app.clock.now()),
        object,
        target: actorUrls(app, account.username).featured,
      }),
      context: noteContext,
      inboxes: await followerInboxes(write.db, accountId),
      orderKey: `featured ${account.uri}`,
    });
  });
}

interface Pin {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
}

/** A post is named by its id only: whoever may see it can fetch it. */
function deliverPin(app: App, type: Change, { statusId, accountId }: Pin): Promise<void> {
  return deliver(app, type, accountId, async ({ db }) => {
    const status = await db.selectFrom('statuses').select('uri').where('id', '=', statusId).executeTakeFirst();
    return status?.uri;
  });
}

interface Featured {
  readonly tagId: TagId;
  readonly accountId: AccountId;
}

function deliverTag(app: App, type: Change, { tagId, accountId }: Featured): Promise<void> {
  return deliver(app, type, accountId, async ({ db }, username) => {
    const tag = await db.selectFrom('tags').select(['name', 'display_name']).where('id', '=', tagId).executeTakeFirst();
    return tag && featuredHashtag(app, username, tag);
  });
}

export const featuredDeliveries: readonly Subscription[] = [
  ...whenLocalProfile(statusPinned, 'deliver-pin', (app, data: Pin) => deliverPin(app, 'Add', data)),
  ...whenLocalProfile(statusUnpinned, 'deliver-unpin', (app, data: Pin) => deliverPin(app, 'Remove', data)),
  ...whenLocalProfile(tagFeatured, 'deliver-featured-tag', (app, data: Featured) => deliverTag(app, 'Add', data)),
  ...whenLocalProfile(tagUnfeatured, 'deliver-unfeatured-tag', (app, data: Featured) =>
    deliverTag(app, 'Remove', data),
  ),
];
