import { Type, type Static } from 'typebox';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { unprocessable } from '../platform/http/http-errors.ts';
import { newId, type AccountId, type FilterId, type FilterKeywordId } from '../platform/ids.ts';
import { changeFilters, requireFilterOfKeyword } from './change-filters.ts';
import { changeKeywords, insertKeywords } from './change-keywords.ts';
import { ExpiresIn, parseContext, parseExpiry, parseKeyword, parseTitle } from './filter-params.ts';
import type { KeywordInFilter } from './find-filters.ts';
import { FilterContext, type FilterAction, type V1Filter } from './schema.ts';
import { writable } from './tables.ts';

export const V1FilterInput = Type.Object({
  phrase: Type.Optional(Type.String()),
  context: Type.Optional(Type.Array(FilterContext)),
  irreversible: Type.Optional(Type.Boolean({ description: 'Hide posts rather than warn' })),
  whole_word: Type.Optional(Type.Boolean({ description: 'Default true' })),
  expires_in: Type.Optional(ExpiresIn),
});
type V1FilterInput = Static<typeof V1FilterInput>;

/** Returns a keyword as a filter of version 1 (FL1-02). */
export function presentV1Filter({ keyword, filter }: KeywordInFilter): V1Filter {
  return {
    id: keyword.id,
    phrase: keyword.keyword,
    context: filter.context,
    expires_at: filter.expires_at,
    irreversible: filter.filter_action === 'hide',
    whole_word: keyword.whole_word,
  };
}

/**
 * Creates a filter with one keyword, which is also its title. Returns the id of the keyword. Throws 422 for invalid
 * input.
 */
export function createV1Filter(app: App, accountId: AccountId, input: V1FilterInput): Promise<FilterKeywordId> {
  const now = app.clock.now();
  return changeFilters(app, accountId, async (tx) => {
    const title = parseTitle(input.phrase, 'phrase');
    const filterId = newId<'filter'>(now);
    await writable(tx.db)
      .insertInto('filters')
      .values({
        id: filterId,
        account_id: accountId,
        title,
        context: parseContext(input.context),
        action: actionOf(input.irreversible),
        expires_at: parseExpiry(input.expires_in, now) ?? null,
        created_at: now,
      })
      .execute();
    const id = newId<'filter-keyword'>(now);
    await insertKeywords(tx, filterId, [
      { id, keyword: parseKeyword(input.phrase), whole_word: input.whole_word ?? true },
    ]);
    return id;
  });
}

/**
 * Updates the given properties of a keyword and its filter. Throws 404 if it does not belong to the account, 422 for
 * invalid input, and for a change of a filter that has other keywords, which version 1 would not show.
 */
export function updateV1Filter(
  app: App,
  accountId: AccountId,
  id: FilterKeywordId,
  input: V1FilterInput,
): Promise<void> {
  const now = app.clock.now();
  const { phrase, whole_word: wholeWord, ...rest } = input;
  return changeFilters(app, accountId, async (tx) => {
    const filterId = await requireFilterOfKeyword(tx, accountId, id);
    const title = phrase === undefined ? undefined : parseTitle(phrase, 'phrase');
    const keyword = {
      id,
      ...(phrase !== undefined && { keyword: phrase }),
      ...(wholeWord !== undefined && { whole_word: wholeWord }),
    };
    await changeKeywords(tx, filterId, [keyword], now);
    await updateFilterOfKeyword(tx, filterId, { ...rest, title }, now);
  });
}

interface FilterUpdate extends Pick<V1FilterInput, 'context' | 'irreversible' | 'expires_in'> {
  readonly title: string | undefined;
}

async function updateFilterOfKeyword(
  { db }: Transaction,
  filterId: FilterId,
  { title, context, irreversible, expires_in: expiresIn }: FilterUpdate,
  now: Date,
): Promise<void> {
  const before = await db
    .selectFrom('filters')
    .select(({ selectFrom, fn }) => [
      'context',
      'action',
      'expires_at',
      selectFrom('filter_keywords')
        .select(fn.countAll<string>().as('count'))
        .where('filter_id', '=', filterId)
        .as('keywords'),
    ])
    .where('id', '=', filterId)
    .executeTakeFirstOrThrow();
  const expiresAt = parseExpiry(expiresIn, now);
  const after = {
    context: context === undefined ? before.context : parseContext(context),
    action:
      irreversible === undefined || irreversible === (before.action === 'hide')
        ? before.action
        : actionOf(irreversible),
    expires_at: expiresAt === undefined ? before.expires_at : expiresAt,
  };
  if (Number(before.keywords) === 1) {
    await writable(db)
      .updateTable('filters')
      .set({ ...after, ...(title !== undefined && { title }) })
      .where('id', '=', filterId)
      .execute();
    return;
  }
  const isUnchanged =
    after.action === before.action &&
    after.expires_at?.getTime() === before.expires_at?.getTime() &&
    after.context.toSorted().join() === before.context.toSorted().join();
  if (!isUnchanged) throw unprocessable('filters.severalKeywords');
}

const actionOf = (irreversible: boolean | undefined): FilterAction => (irreversible === true ? 'hide' : 'warn');
