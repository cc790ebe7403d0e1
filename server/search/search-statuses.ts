import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { queryWithCustomPlan } from '../platform/database/custom-plan.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { filterVisibleStatuses } from '../statuses/read/index.ts';
import { splitWords, type Word } from '../text/index.ts';
import { loadUserSettings } from '../users/settings/index.ts';
import { loadCommonWords } from './common-words.ts';
import { parseQuery, type StatusQuery } from './parse-query.ts';
import { buildTsquery } from './search-words.ts';
import { buildConditions, findableCondition } from './status-conditions.ts';
import { loadStems } from './stems.ts';

/** One page of a search for statuses, newest first. */
export interface StatusSearch {
  readonly text: string;
  /** Undefined for anonymous viewers, who find nothing. An invalid query still throws. */
  readonly viewerId: AccountId | undefined;
  /** Only of this account. */
  readonly accountId: AccountId | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly maxId: string | undefined;
  readonly minId: string | undefined;
}

/** The visible statuses found, and the ids that the page spans with the invisible ones. */
export interface FoundStatuses {
  readonly ids: readonly StatusId[];
  readonly first: StatusId | undefined;
  readonly last: StatusId | undefined;
  readonly more: boolean;
}

/** Estimated share of matching statuses below which a phrase counts as rare. */
const minPhraseShare = 0.02;

const nothing: FoundStatuses = { ids: [], first: undefined, last: undefined, more: false };

/**
 * Finds statuses by words and operators: those that the viewer wrote, is mentioned in, favourited, bookmarked or reblogged,
 * and public ones of indexable authors. Throws 404 for an unknown account in `from:`, 422 for an invalid query.
 */
export async function searchStatuses(app: App, search: StatusSearch): Promise<FoundStatuses> {
  const { viewerId, limit, minId } = search;
  const query = parseQuery(search.text);
  const conditions = await buildConditions(app, query, viewerId);
  const filtered = conditions.length > 0 || search.accountId !== undefined;
  if (viewerId === undefined || limit === 0) return nothing;
  const stemsOf = await loadQueryStems(app, viewerId, query);
  const words = buildTsquery(query, stemsOf);
  if (words === undefined && !filtered) return nothing;
  const where = [
    ...conditions,
    ...(words === undefined ? [] : [sql`ss.words @@ ${words}::tsquery`]),
    ...(search.accountId === undefined ? [] : [sql`ss.account_id = ${search.accountId}::bigint`]),
    ...(search.maxId === undefined ? [] : [sql`ss.status_id < ${search.maxId}::bigint`]),
    ...(minId === undefined ? [] : [sql`ss.status_id > ${minId}::bigint`]),
    sql`s.deleted_at is null`,
    findableCondition(viewerId, query.within),
  ];
  const rows = await queryWithCustomPlan(
    app,
    sql<{ id: StatusId }>`
      select ss.status_id as id
      from status_search ss
        join statuses s on s.id = ss.status_id
        join accounts a on a.id = s.account_id
      where ${sql.join(where, sql` and `)}
      order by ${await chooseOrder(app, query, stemsOf)} ${sql.raw(minId === undefined ? 'desc' : 'asc')}
      limit ${limit} offset ${search.offset}`,
  );
  const found = rows.map(({ id }) => id);
  if (minId !== undefined) found.reverse();
  return {
    ids: await filterVisibleStatuses(app, viewerId, found, 'search'),
    first: found[0],
    last: found.at(-1),
    more: found.length === limit,
  };
}

/** Loads the stems of a query's words in the languages that the viewer reads, or in the one that `language:` names. */
async function loadQueryStems(
  app: App,
  viewerId: AccountId,
  { all, none, language }: StatusQuery,
): Promise<(word: Word) => string[]> {
  const { default_language, locale } = await loadUserSettings(app, viewerId);
  const languages = language.wanted.length === 0 ? [default_language, locale] : language.wanted;
  const words = [...all, ...none].filter(({ exact }) => !exact).flatMap(({ text }) => splitWords(text));
  const stemOf = await loadStems(
    app,
    languages.map((language) => ({ language, words })),
  );
  return (word) =>
    [...new Set(languages.map((language) => stemOf(language, word)))].filter((stem) => stem !== undefined);
}

/**
 * Returns the sort expression. Reading from the newest status down is fast only if many statuses match. The planner
 * wrongly expects that of words that are missing from its statistics, and of rare phrases. For those, an expression that
 * no index matches prevents the plan.
 */
async function chooseOrder(
  app: App,
  { all }: StatusQuery,
  stemsOf: (word: Word) => readonly string[],
): Promise<RawBuilder<unknown>> {
  const shares = await loadCommonWords(app);
  const shareOf = (word: Word): number =>
    Math.max(...[word.folded, ...stemsOf(word)].map((form) => shares.get(form) ?? 0));
  const isRare = all.some(({ text }) => {
    const words = splitWords(text).map(shareOf);
    const share = words.reduce((product, share) => product * share, 1);
    return words.length > 1 ? share < minPhraseShare : share === 0;
  });
  return isRare ? sql`ss.status_id + 0` : sql`ss.status_id`;
}
