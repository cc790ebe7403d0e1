import type { App } from '../../platform/app.ts';
import { groupCommit } from '../../platform/database/group-commit.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { assertPermitted } from './assert-permitted.ts';
import { assertNotBlocking } from './assert-not-blocking.ts';
import { statusCountersChanged, statusFavourited, statusUnfavourited } from '../events.ts';
import { deleteFavourites, insertFavourites, type FavouriteKey, type NewFavourite } from './favourite-rows.ts';
import { requireVisibleOriginal } from '../read/filter-visible-statuses.ts';
import { resolveOriginalId } from '../read/status-cache.ts';

/**
 * Favourites a status, or the original of a reblog, as the local or remote `accountId`. Idempotent. Throws 404 if the
 * account may not see the status, 403 if the account blocks the author or the author does not permit it.
 */
export async function favouriteStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  const status = await requireVisibleOriginal(app, accountId, statusId);
  await assertNotBlocking(app, accountId, status.accountId);
  await assertPermitted(app, accountId, status, 'favourite');
  await storeFavourite(app, { accountId, statusId: status.id, statusLocal: status.local });
}

/** Undoes a favourite, even if the account may no longer see the status. Returns false if there was none. */
export async function unfavouriteStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<boolean> {
  return deleteFavourite(app, { accountId, statusId: await resolveOriginalId(app, statusId) });
}

const storeFavourite = groupCommit<NewFavourite, void>(async (tx, app, requests) => {
  const { favourites, counters } = await insertFavourites(tx, app, requests);
  for (const each of counters) tx.emit(statusCountersChanged(each));
  for (const favourite of favourites) tx.emit(statusFavourited(favourite));
  return requests.map(() => undefined);
});

const deleteFavourite = groupCommit<FavouriteKey, boolean>(async (tx, _app, requests) => {
  const { favourites, counters } = await deleteFavourites(tx, requests);
  for (const each of counters) tx.emit(statusCountersChanged(each));
  for (const favourite of favourites) tx.emit(statusUnfavourited(favourite));
  return requests.map((request) => favourites.some((favourite) => isSameFavourite(favourite, request)));
});

const isSameFavourite = (a: FavouriteKey, b: FavouriteKey): boolean =>
  a.accountId === b.accountId && a.statusId === b.statusId;
