import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { statusBookmarked, statusUnbookmarked } from './bookmark-events.ts';
import { requireVisibleOriginal } from '../read/filter-visible-statuses.ts';
import { resolveOriginalId } from '../read/status-cache.ts';
import { writable } from '../tables.ts';

/** Bookmarks a status, or the original of a reblog. Throws 404 if the account may not see it. */
export async function bookmarkStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  const { id } = await requireVisibleOriginal(app, accountId, statusId);
  const now = app.clock.now();
  await transaction(app, async (tx) => {
    await writable(tx.db)
      .insertInto('bookmarks')
      .values({ id: newId<'row'>(now), account_id: accountId, status_id: id, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    tx.emit(statusBookmarked({ accountId, statusId: id }));
  });
}

/** Removes a bookmark, even if the account may no longer see the status (STA-15). Returns false if there was none. */
export async function unbookmarkStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<boolean> {
  const originalId = await resolveOriginalId(app, statusId);
  return transaction(app, async (tx) => {
    const { numDeletedRows } = await writable(tx.db)
      .deleteFrom('bookmarks')
      .where('account_id', '=', accountId)
      .where('status_id', '=', originalId)
      .executeTakeFirstOrThrow();
    tx.emit(statusUnbookmarked({ accountId, statusId: originalId }));
    return numDeletedRows > 0n;
  });
}
