import type { App } from '../platform/app.ts';
import { validationFailed, notFound } from '../platform/http/http-errors.ts';
import { newId, type AccountId, type FilterId, type FilterStatusId, type StatusId } from '../platform/ids.ts';
import { assertOwnsFilter, changeFilters } from './change-filters.ts';
import type { FilterStatus } from './schema.ts';
import { writable } from './tables.ts';

/**
 * Adds a status, which the account may see, to a filter (FL2-03). Throws 404 if the filter does not belong to the
 * account, 422 if it has the status already.
 */
export function addFilterStatus(
  app: App,
  accountId: AccountId,
  filterId: FilterId,
  statusId: StatusId,
): Promise<FilterStatus> {
  return changeFilters(app, accountId, async (tx) => {
    await assertOwnsFilter(tx, accountId, filterId);
    return writable(tx.db)
      .insertInto('filter_statuses')
      .values({ id: newId<'filter-status'>(app.clock.now()), filter_id: filterId, status_id: statusId })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'status_id'])
      .executeTakeFirstOrThrow(() => validationFailed('filters.statusTaken'));
  });
}

/** Removes a status from a filter. Throws 404 if the entry does not exist or does not belong to the account. */
export function removeFilterStatus(app: App, accountId: AccountId, id: FilterStatusId): Promise<void> {
  return changeFilters(app, accountId, async ({ db }) => {
    const { numDeletedRows } = await writable(db)
      .deleteFrom('filter_statuses')
      .using('filters')
      .whereRef('filters.id', '=', 'filter_statuses.filter_id')
      .where('filters.account_id', '=', accountId)
      .where('filter_statuses.id', '=', id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound();
  });
}
