import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { forbidden } from '../platform/http/problems.ts';
import { newId, type AccountId, type RowId, type StatusId } from '../platform/ids.ts';
import { relationsOf } from '../relationships/index.ts';
import { statusFavourited, statusUnfavourited } from './events.ts';
import { requireVisibleOriginal } from './keep-visible.ts';
import { dropOverlaysAfter } from './overlays.ts';
import { dropStatusesAfter, originalIdOf } from './status-bodies.ts';

/**
 * Favourites a status as `accountId`, local or remote; of a reblog, what it reblogs. Doing it twice is the same as doing
 * it once. Throws 404 for what the account may not see, 403 when it blocks the author.
 */
export async function favouriteStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  const status = await requireVisibleOriginal(app, accountId, statusId);
  await refuseBlocked(app, accountId, status.accountId);
  const now = app.clock.now();
  const favouriteId = newId<'row'>(now);
  await write(app, async (transaction) => {
    const { rows } = await sql`
      with favourite as (
        insert into favourites (id, account_id, status_id, created_at)
        values (${favouriteId}, ${accountId}, ${status.id}, ${now})
        on conflict do nothing
        returning status_id
      )
      insert into status_stats (status_id, favourites_count) select status_id, 1 from favourite
      on conflict (status_id) do update set favourites_count = status_stats.favourites_count + 1
      returning status_id`.execute(transaction.db);
    if (rows.length === 0) return;
    dropStatusesAfter(transaction, app, [status.id]);
    dropOverlaysAfter(transaction, app, accountId);
    transaction.emit(statusFavourited({ favouriteId, statusId: status.id, accountId, statusLocal: status.local }));
  });
}

/** Takes a favourite back, also of a status that the account may not see any more; false when there was none. */
export async function unfavouriteStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<boolean> {
  const originalId = await originalIdOf(app, statusId);
  return write(app, async (transaction) => {
    const { rows } = await sql<{ id: RowId; local: boolean }>`
      with favourite as (
        delete from favourites where account_id = ${accountId} and status_id = ${originalId} returning id
      ), counted as (
        update status_stats set favourites_count = greatest(favourites_count - 1, 0)
        where status_id = ${originalId} and exists (select from favourite)
      )
      select favourite.id, s.local from favourite join statuses s on s.id = ${originalId}`.execute(transaction.db);
    const [favourite] = rows;
    if (favourite === undefined) return false;
    dropStatusesAfter(transaction, app, [originalId]);
    dropOverlaysAfter(transaction, app, accountId);
    const statusLocal = favourite.local;
    transaction.emit(statusUnfavourited({ favouriteId: favourite.id, statusId: originalId, accountId, statusLocal }));
    return true;
  });
}

/** One does not react to those whom one blocks: 403. */
export async function refuseBlocked(app: App, accountId: AccountId, authorId: AccountId): Promise<void> {
  const { blocking } = await relationsOf(app, accountId);
  if (blocking.has(authorId)) throw forbidden();
}
