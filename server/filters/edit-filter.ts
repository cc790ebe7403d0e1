import type { App } from '../platform/app.ts';
import { newId, type AccountId, type FilterId } from '../platform/ids.ts';
import { assertOwnsFilter, changeFilters } from './change-filters.ts';
import { changeKeywords } from './change-keywords.ts';
import { parseContext, parseExpiry, parseTitle, type FilterInput } from './filter-params.ts';
import { writable } from './tables.ts';

/** Creates a filter with its keywords (FL2-01). Returns its id. Throws 422 for invalid input. */
export function createFilter(app: App, accountId: AccountId, input: FilterInput): Promise<FilterId> {
  const now = app.clock.now();
  const id = newId<'filter'>(now);
  return changeFilters(app, accountId, async (tx) => {
    await writable(tx.db)
      .insertInto('filters')
      .values({
        id,
        account_id: accountId,
        title: parseTitle(input.title),
        context: parseContext(input.context),
        action: input.filter_action ?? 'warn',
        expires_at: parseExpiry(input.expires_in, now) ?? null,
        created_at: now,
      })
      .execute();
    await changeKeywords(tx, id, input.keywords_attributes ?? [], now);
    return id;
  });
}

/**
 * Updates the given properties of a filter, and its keywords in the same transaction (FL2-01). Throws 404 if it does not
 * belong to the account, 422 for invalid input.
 */
export function updateFilter(app: App, accountId: AccountId, id: FilterId, input: FilterInput): Promise<void> {
  const now = app.clock.now();
  const expiresAt = parseExpiry(input.expires_in, now);
  return changeFilters(app, accountId, async (tx) => {
    await assertOwnsFilter(tx, accountId, id);
    await writable(tx.db)
      .updateTable('filters')
      .set({
        id,
        ...(input.title !== undefined && { title: parseTitle(input.title) }),
        ...(input.context !== undefined && { context: parseContext(input.context) }),
        ...(input.filter_action !== undefined && { action: input.filter_action }),
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      })
      .where('id', '=', id)
      .execute();
    await changeKeywords(tx, id, input.keywords_attributes ?? [], now);
  });
}

/** Deletes a filter with its keywords and statuses. Throws 404 if it does not belong to the account. */
export function deleteFilter(app: App, accountId: AccountId, id: FilterId): Promise<void> {
  return changeFilters(app, accountId, async (tx) => {
    await assertOwnsFilter(tx, accountId, id);
    await writable(tx.db).deleteFrom('filters').where('id', '=', id).execute();
  });
}
