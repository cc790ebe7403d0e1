import { viewerStateChanged } from './events.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { newId, type AccountId, type StatusId } from '../platform/ids.ts';
import { requireVisibleOriginal } from './filter-visible-statuses.ts';
import { resolveOriginalId } from './status-cache.ts';

/** Keeps a status for later, known to nobody else; of a reblog, what it reblogs. 404 for what the account may not see. */
export async function bookmarkStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  const { id } = await requireVisibleOriginal(app, accountId, statusId);
  const now = app.clock.now();
  await transaction(app, async (tx) => {
    await tx.db
      .insertInto('bookmarks')
      .values({ id: newId<'row'>(now), account_id: accountId, status_id: id, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    tx.emit(viewerStateChanged({ viewerId: accountId, statusId: id, bookmarked: true }));
  });
}

/** Removes a bookmark, also of a status that the account may not see any more (STA-15); false when there was none. */
export async function unbookmarkStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<boolean> {
  const originalId = await resolveOriginalId(app, statusId);
  return transaction(app, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('bookmarks')
      .where('account_id', '=', accountId)
      .where('status_id', '=', originalId)
      .executeTakeFirstOrThrow();
    tx.emit(viewerStateChanged({ viewerId: accountId, statusId: originalId, bookmarked: false }));
    return numDeletedRows > 0n;
  });
}
