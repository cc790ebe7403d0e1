import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId, FilterId, FilterKeywordId } from '../platform/ids.ts';
import { filtersChanged } from './events.ts';
import { assertWithinLimits } from './filter-limits.ts';

/**
 * Runs a change of an account's filters in a transaction, one at a time per account. Emits one event, however much the
 * request changes (FL2-04). Throws 422 if the account has too many filters afterwards.
 */
export function changeFilters<Result>(
  app: App,
  accountId: AccountId,
  change: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return transaction(app, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`filters ${accountId}`}, 0))`.execute(tx.db);
    const result = await change(tx);
    await assertWithinLimits(tx, accountId);
    tx.emit(filtersChanged({ accountId }));
    return result;
  });
}

/** Throws 404 if the filter does not exist or does not belong to the account. */
export async function assertOwnsFilter({ db }: Transaction, accountId: AccountId, id: FilterId): Promise<void> {
  await db
    .selectFrom('filters')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => notFound());
}

/** Returns the filter of a keyword. Throws 404 if the keyword does not exist or does not belong to the account. */
export async function requireFilterOfKeyword(
  { db }: Transaction,
  accountId: AccountId,
  id: FilterKeywordId,
): Promise<FilterId> {
  const keyword = await db
    .selectFrom('filter_keywords')
    .innerJoin('filters', 'filters.id', 'filter_keywords.filter_id')
    .select('filter_id')
    .where('filter_keywords.id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => notFound());
  return keyword.filter_id;
}
