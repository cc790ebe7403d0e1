import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { ReadDatabase } from '../platform/database/read-database.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import {
  compareIds,
  type AccountId,
  type FilterId,
  type FilterKeywordId,
  type FilterStatusId,
} from '../platform/ids.ts';
import type { Filter, FilterKeyword, FilterStatus } from './schema.ts';

/** A filter with its keywords and statuses, oldest first. */
export interface FilterRow extends Omit<Filter, 'expires_at'> {
  readonly account_id: AccountId;
  readonly expires_at: Date | null;
}

const selectFilters = (db: Pick<ReadDatabase, 'selectFrom'>, { accountIds }: { accountIds: readonly AccountId[] }) =>
  db
    .selectFrom('filters as f')
    .select([
      'f.account_id',
      'f.id',
      'f.title',
      'f.context',
      'f.action as filter_action',
      'f.expires_at',
      sql<FilterKeyword[]>`(
        select coalesce(json_agg(json_build_object('id', k.id::text, 'keyword', k.keyword, 'whole_word', k.whole_word)
          order by k.id), '[]')
        from filter_keywords k where k.filter_id = f.id)`.as('keywords'),
      sql<FilterStatus[]>`(
        select coalesce(json_agg(json_build_object('id', s.id::text, 'status_id', s.status_id::text) order by s.id), '[]')
        from filter_statuses s where s.filter_id = f.id)`.as('statuses'),
    ])
    .where(sql<boolean>`f.account_id = any(${accountIds}::bigint[])`)
    .orderBy('f.id');

/** Loads all filters of several accounts, oldest first, in one statement. */
export const loadFilterRows = preparedQuery<FilterRow>()(selectFilters);

/** Returns all filters of an account as a transaction sees them. */
export async function listFiltersIn({ db }: Transaction, accountId: AccountId): Promise<Filter[]> {
  return (await selectFilters(db, { accountIds: [accountId] }).execute()).map(toFilter);
}

/** Returns all filters of an account, oldest first, expired ones too. */
export async function listFilters(app: App, accountId: AccountId): Promise<Filter[]> {
  return (await loadFilterRows(app, { accountIds: [accountId] })).map(toFilter);
}

/** Returns a filter. Throws 404 if it does not exist or does not belong to the account. */
export async function requireFilter(app: App, accountId: AccountId, id: FilterId): Promise<Filter> {
  return required((await listFilters(app, accountId)).find((filter) => filter.id === id));
}

/** A keyword with its filter. */
export interface KeywordInFilter {
  readonly keyword: FilterKeyword;
  readonly filter: Filter;
}

/** Returns all keywords of an account with their filters, oldest first. */
export async function listKeywords(app: App, accountId: AccountId): Promise<KeywordInFilter[]> {
  const filters = await listFilters(app, accountId);
  const keywords = filters.flatMap((filter) => filter.keywords.map((keyword) => ({ keyword, filter })));
  return keywords.toSorted((a, b) => compareIds(a.keyword.id, b.keyword.id));
}

/** Returns a keyword with its filter. Throws 404 if it does not exist or does not belong to the account. */
export async function requireKeyword(app: App, accountId: AccountId, id: FilterKeywordId): Promise<KeywordInFilter> {
  return required((await listKeywords(app, accountId)).find(({ keyword }) => keyword.id === id));
}

/** Returns the entry of a status in a filter. Throws 404 if it does not exist or does not belong to the account. */
export async function requireFilterStatus(app: App, accountId: AccountId, id: FilterStatusId): Promise<FilterStatus> {
  const filters = await listFilters(app, accountId);
  return required(filters.flatMap(({ statuses }) => statuses).find((status) => status.id === id));
}

function toFilter({ account_id: _accountId, expires_at: expiresAt, ...filter }: FilterRow): Filter {
  return { ...filter, expires_at: expiresAt?.toISOString() ?? null };
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw notFound();
  return value;
}
