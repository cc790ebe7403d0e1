import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { newId, type AccountId, type FilterId, type FilterKeywordId } from '../platform/ids.ts';
import { assertOwnsFilter, changeFilters, requireFilterOfKeyword } from './change-filters.ts';
import { parseKeyword, type KeywordAttributes } from './filter-params.ts';
import type { FilterKeyword } from './schema.ts';
import { writable } from './tables.ts';

/** Adds a keyword to a filter. Throws 404 if the filter does not belong to the account, 422 for an invalid keyword. */
export function addKeyword(
  app: App,
  accountId: AccountId,
  filterId: FilterId,
  { keyword, whole_word: wholeWord = true }: KeywordAttributes,
): Promise<FilterKeyword> {
  return changeFilters(app, accountId, async (tx) => {
    await assertOwnsFilter(tx, accountId, filterId);
    const added = {
      id: newId<'filter-keyword'>(app.clock.now()),
      keyword: parseKeyword(keyword),
      whole_word: wholeWord,
    };
    await insertKeywords(tx, filterId, [added]);
    return added;
  });
}

/** Updates the given properties of a keyword. Throws 404 if it does not belong to the account, 422 if it is invalid. */
export function updateKeyword(
  app: App,
  accountId: AccountId,
  id: FilterKeywordId,
  attributes: KeywordAttributes,
): Promise<void> {
  return changeFilters(app, accountId, async (tx) => {
    const filterId = await requireFilterOfKeyword(tx, accountId, id);
    await changeKeywords(tx, filterId, [{ ...attributes, id, _destroy: false }], app.clock.now());
  });
}

/** Deletes a keyword. Its filter stays, even without keywords. Throws 404 if it does not belong to the account. */
export function deleteKeyword(app: App, accountId: AccountId, id: FilterKeywordId): Promise<void> {
  return changeFilters(app, accountId, async (tx) => {
    const filterId = await requireFilterOfKeyword(tx, accountId, id);
    await changeKeywords(tx, filterId, [{ id, _destroy: true }], app.clock.now());
  });
}

/**
 * Adds, updates and deletes keywords of a filter together (FL2-01): those with an id exist; a new one without a keyword
 * is ignored. Throws 404 for an id that is not in the filter, 422 for an invalid keyword.
 */
export async function changeKeywords(
  tx: Transaction,
  filterId: FilterId,
  attributes: readonly KeywordAttributes[],
  now: Date,
): Promise<void> {
  const existing = attributes.flatMap(({ id, ...rest }) => (id === undefined ? [] : [{ ...rest, id }]));
  await assertInFilter(tx, filterId, [...new Set(existing.map(({ id }) => id))]);
  const deletedIds = existing.flatMap(({ id, _destroy }) => (_destroy === true ? [id] : []));
  if (deletedIds.length > 0)
    await writable(tx.db).deleteFrom('filter_keywords').where('id', 'in', deletedIds).execute();
  await updateKeywords(
    tx,
    existing.filter(({ _destroy }) => _destroy !== true),
  );
  const added = attributes.flatMap(({ id, keyword, whole_word: wholeWord, _destroy }) => {
    const isBlank = (keyword ?? '').trim() === '' && wholeWord === undefined;
    if (id !== undefined || _destroy === true || isBlank) return [];
    return [{ id: newId<'filter-keyword'>(now), keyword: parseKeyword(keyword), whole_word: wholeWord ?? true }];
  });
  await insertKeywords(tx, filterId, added);
}

async function assertInFilter({ db }: Transaction, filterId: FilterId, ids: readonly FilterKeywordId[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await db
    .selectFrom('filter_keywords')
    .select('id')
    .where('filter_id', '=', filterId)
    .where('id', 'in', ids)
    .execute();
  if (found.length < ids.length) throw notFound();
}

interface KeywordUpdate {
  readonly id: FilterKeywordId;
  readonly keyword?: string;
  readonly whole_word?: boolean;
}

async function updateKeywords({ db }: Transaction, updates: readonly KeywordUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  const keywords = updates.map(({ keyword }) => (keyword === undefined ? null : parseKeyword(keyword)));
  await sql`
    update filter_keywords set
      keyword = coalesce(changed.keyword, filter_keywords.keyword),
      whole_word = coalesce(changed.whole_word, filter_keywords.whole_word)
    from unnest(${updates.map(({ id }) => id)}::bigint[], ${keywords}::text[],
      ${updates.map(({ whole_word: wholeWord }) => wholeWord ?? null)}::boolean[]) as changed(id, keyword, whole_word)
    where filter_keywords.id = changed.id`.execute(db);
}

/** Inserts keywords that are valid. */
export async function insertKeywords(
  { db }: Transaction,
  filterId: FilterId,
  keywords: readonly FilterKeyword[],
): Promise<void> {
  if (keywords.length === 0) return;
  await sql`
    insert into filter_keywords (id, filter_id, keyword, whole_word)
    select id, ${filterId}::bigint, keyword, whole_word
    from unnest(${keywords.map(({ id }) => id)}::bigint[], ${keywords.map(({ keyword }) => keyword)}::text[],
      ${keywords.map(({ whole_word: wholeWord }) => wholeWord)}::boolean[]) as added(id, keyword, whole_word)`.execute(
    db,
  );
}
