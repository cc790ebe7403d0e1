import { sql } from 'kysely';
import { inTransaction } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, RowId, StatusId } from '../../platform/ids.ts';
import { statusFavourited, statusUnfavourited } from '../../statuses/index.ts';
import { like, undo } from '../documents/activities.ts';
import type { Json } from '../documents/values.ts';
import { storeActivities } from './store-activity.ts';

interface FavouriteEvent {
  readonly favouriteId: RowId;
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  readonly statusLocal: boolean;
}

interface FavouriteRow {
  readonly id: RowId;
  readonly accountId: AccountId;
  /** URIs of the status and of the account that favourited it. */
  readonly object: string;
  readonly actor: string;
  /** Of the author of the status. */
  readonly inbox: string;
}

/** Stores activities about favourites of remote statuses by local accounts, for the servers of the authors. */
async function deliverFavourites(
  tx: Transaction,
  app: App,
  favourites: readonly FavouriteEvent[],
  activityOf: (like: Json, actor: string) => Json,
): Promise<void> {
  const remote = favourites.filter(({ statusLocal }) => !statusLocal);
  if (remote.length === 0) return;
  const { rows } = await sql<FavouriteRow>`
    select favourite.id, favourite.account_id as "accountId", status.uri as object, actor.uri as actor,
      author.inbox_url as inbox
    from unnest(
        ${remote.map(({ favouriteId }) => favouriteId)}::bigint[], ${remote.map(({ statusId }) => statusId)}::bigint[],
        ${remote.map(({ accountId }) => accountId)}::bigint[]
      ) with ordinality as favourite(id, status_id, account_id, place)
      join statuses status on status.id = favourite.status_id
      join accounts author on author.id = status.account_id
      join accounts actor on actor.id = favourite.account_id
    where not status.local and actor.domain is null and author.inbox_url is not null
    order by favourite.place`.execute(tx.db);
  await storeActivities(
    tx,
    app,
    rows.map(({ id, accountId, object, actor, inbox }) => ({
      senderId: accountId,
      activity: activityOf(like(actor, id, object), actor),
      inboxes: [inbox],
      orderKey: `like ${accountId} ${object}`,
    })),
  );
}

export const favouriteDeliveries: readonly Subscription[] = [
  inTransaction([statusFavourited], {
    runBatch: (tx, app, favourites) => deliverFavourites(tx, app, favourites, (likeActivity) => likeActivity),
  }),
  inTransaction([statusUnfavourited], {
    runBatch: (tx, app, favourites) =>
      deliverFavourites(tx, app, favourites, (likeActivity, actor) => undo(actor, likeActivity)),
  }),
];
