import { withdrawRequest } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { groupCommit } from '../../platform/write/group-commit.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { holdReaction } from '../approval/hold-reaction.ts';
import { notPermittedError, requirePermission } from './require-permission.ts';
import { assertNotBlocking } from './assert-not-blocking.ts';
import { statusCountersChanged, statusFavourited, statusUnfavourited } from '../events.ts';
import {
  deleteFavourites,
  insertFavourites,
  type Favourite,
  type FavouriteKey,
  type NewFavourite,
} from './favourite-rows.ts';
import { requireVisibleOriginal } from '../read/filter-visible-statuses.ts';
import { resolveOriginalId } from '../read/status-cache.ts';

/** Ids of a received Like, and of the request for it. */
interface ReceivedLike {
  readonly uri: string | undefined;
  readonly requestUri?: string | undefined;
}

/**
 * Favourites a status, or the original of a reblog, as the local or remote `accountId`. Idempotent. Waits for the author if
 * the policy of a local status requires it. Throws 404 if the account may not see the status, 403 if the account blocks
 * the author or the author does not permit it.
 */
export async function favouriteStatus(
  app: App,
  accountId: AccountId,
  statusId: StatusId,
  received?: ReceivedLike,
): Promise<void> {
  const status = await requireVisibleOriginal(app, accountId, statusId);
  await assertNotBlocking(app, accountId, status.accountId);
  const permission = await requirePermission(app, accountId, status, 'favourite');
  // The server of a remote author rejects the Like if necessary.
  if (permission === 'manual' && status.local) {
    const held = {
      kind: 'favourite',
      accountId,
      uri: received?.uri ?? null,
      requestUri: received?.requestUri,
    } as const;
    const state = await holdReaction(app, status, held);
    if (state === 'rejected') throw notPermittedError('favourite');
    if (state === 'pending') return;
  }
  await storeFavourite(app, { accountId, statusId: status.id, statusLocal: status.local, uri: received?.uri });
}

/** Undoes a favourite, even if the account may no longer see the status. Returns false if there was none. */
export async function unfavouriteStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<boolean> {
  const key = { accountId, statusId: await resolveOriginalId(app, statusId) };
  return (
    (await deleteFavourite(app, key)) || transaction(app, (tx) => withdrawRequest(tx, { ...key, kind: 'favourite' }))
  );
}

/** Stores favourites in the transaction and emits their events. */
export async function storeFavourites(tx: Transaction, app: App, requests: readonly NewFavourite[]): Promise<void> {
  const { favourites, counters } = await insertFavourites(tx, app, requests);
  for (const each of counters) tx.emit(statusCountersChanged(each));
  for (const favourite of favourites) tx.emit(statusFavourited(favourite));
}

const storeFavourite = groupCommit<NewFavourite, void>(
  async (tx, app, requests) => {
    await storeFavourites(tx, app, requests);
    return requests.map(() => undefined);
  },
  { lingers: true },
);

/** Deletes favourites in the transaction, emits their events and returns those that existed. */
export async function removeFavourites(
  tx: Transaction,
  requests: readonly FavouriteKey[],
): Promise<readonly Favourite[]> {
  const { favourites, counters } = await deleteFavourites(tx, requests);
  for (const each of counters) tx.emit(statusCountersChanged(each));
  for (const favourite of favourites) tx.emit(statusUnfavourited(favourite));
  return favourites;
}

const deleteFavourite = groupCommit<FavouriteKey, boolean>(
  async (tx, _app, requests) => {
    const favourites = await removeFavourites(tx, requests);
    return requests.map((request) => favourites.some((favourite) => isSameFavourite(favourite, request)));
  },
  { lingers: true },
);

const isSameFavourite = (a: FavouriteKey, b: FavouriteKey): boolean =>
  a.accountId === b.accountId && a.statusId === b.statusId;
