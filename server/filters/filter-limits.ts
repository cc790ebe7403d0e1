import type { Transaction } from '../platform/write/transaction.ts';
import { validationFailed } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { foldText } from '../text/index.ts';

/** Limits of one filter, in characters (reference/limits.tsv). */
export const maxTitleLength = 256;
export const maxKeywordLength = 512;

/** Limits of an account. Mastodon has none; each page of statuses is compared with all of these. */
export const accountLimits = {
  filters: 500,
  keywords: 1_000,
  /** Units of all folded keywords together, to which the memory of a matcher is proportional. */
  keywordUnits: 131_072,
  statuses: 2_000,
} as const;

/** Throws 422 if the account has more filters, keywords or statuses than allowed. */
export async function assertWithinLimits({ db }: Transaction, accountId: AccountId): Promise<void> {
  const { filters } = await db
    .selectFrom('filters')
    .select(({ fn }) => fn.countAll<string>().as('filters'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const { statuses } = await db
    .selectFrom('filter_statuses')
    .innerJoin('filters', 'filters.id', 'filter_statuses.filter_id')
    .select(({ fn }) => fn.countAll<string>().as('statuses'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const keywords = await db
    .selectFrom('filter_keywords')
    .innerJoin('filters', 'filters.id', 'filter_keywords.filter_id')
    .select('keyword')
    .where('account_id', '=', accountId)
    .execute();
  const units = keywords.reduce((sum, { keyword }) => sum + foldText(keyword).length, 0);
  assertAtMost(Number(filters), accountLimits.filters, 'filters.tooManyFilters');
  assertAtMost(Number(statuses), accountLimits.statuses, 'filters.tooManyStatuses');
  assertAtMost(keywords.length, accountLimits.keywords, 'filters.tooManyKeywords');
  assertAtMost(units, accountLimits.keywordUnits, 'filters.tooManyCharacters');
}

type LimitKey = `filters.tooMany${'Filters' | 'Statuses' | 'Keywords' | 'Characters'}`;

/** Throws 422 above a limit of the account. */
export function assertAtMost(count: number, limit: number, error: LimitKey): void {
  if (count > limit) throw validationFailed(error, { max: limit });
}
