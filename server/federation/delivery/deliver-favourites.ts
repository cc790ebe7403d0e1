import { beforeCommit, type Subscription } from '../../platform/events/reactions.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import type { AccountId, RowId, StatusId } from '../../platform/ids.ts';
import { statusFavourited, statusUnfavourited } from '../../statuses/index.ts';
import { like, undo } from '../documents/activities.ts';
import type { Json } from '../documents/values.ts';
import { storeActivity } from './store-activity.ts';

interface FavouriteEvent {
  readonly favouriteId: RowId;
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  readonly statusLocal: boolean;
}

/** Stores what a favourite by a local account means to the author's server; nothing when the author is local too. */
async function deliverFavourite(
  tx: Transaction,
  app: App,
  favourite: FavouriteEvent,
  activityOf: (like: Json, actor: string) => Json,
): Promise<void> {
  if (favourite.statusLocal) return;
  const row = await tx.db
    .selectFrom('statuses as status')
    .innerJoin('accounts as author', 'author.id', 'status.account_id')
    .innerJoin('accounts as actor', (join) => join.on('actor.id', '=', favourite.accountId))
    .select(['status.uri as object', 'actor.uri as actor', 'author.inbox_url as inbox'])
    .where('status.id', '=', favourite.statusId)
    .where('status.local', '=', false)
    .where('actor.domain', 'is', null)
    .executeTakeFirst();
  if (row === undefined || row.inbox === null) return;
  const activity = activityOf(like(row.actor, favourite.favouriteId, row.object), row.actor);
  await storeActivity(tx, app, {
    senderId: favourite.accountId,
    activity,
    inboxes: [row.inbox],
    orderKey: `like ${favourite.accountId} ${row.object}`,
  });
}

export const favouriteDeliveries: readonly Subscription[] = [
  beforeCommit([statusFavourited], {
    run: (tx, app, favourite) => deliverFavourite(tx, app, favourite, (like) => like),
  }),
  beforeCommit([statusUnfavourited], {
    run: (tx, app, favourite) => deliverFavourite(tx, app, favourite, (like, actor) => undo(actor, like)),
  }),
];
