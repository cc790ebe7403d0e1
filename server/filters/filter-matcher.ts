import { asciiJson } from '../platform/http/http-response.ts';
import type { StatusId } from '../platform/ids.ts';
import { foldText } from '../text/index.ts';
import type { FilterRow } from './find-filters.ts';
import { KeywordAutomaton } from '../text/keywords/index.ts';
import type { FilterResult } from './schema.ts';
import type { SearchableText } from './searchable-text.ts';

/** What a filter looks at: a status that is no reblog. */
export interface FilterableStatus {
  readonly id: StatusId;
  readonly searchableText: SearchableText;
}

interface CompiledFilter {
  readonly result: FilterResult['filter'];
  readonly statusIds: ReadonlySet<StatusId>;
}

interface Match {
  readonly results: readonly FilterResult[];
  /** The results as ASCII JSON. */
  readonly json: string;
}

/** Results that a matcher remembers: a few pages. Many accounts read with filters, and streams read each status once. */
const maxMatches = 256;

const noMatch: Match = { results: [], json: '[]' };

/** The filters of an account that have not expired, compiled. It remembers its last results, as pages are read again. */
export class FilterMatcher {
  readonly isEmpty: boolean;
  /** When the next filter expires, and with it this matcher; undefined: never. */
  readonly expiresAt: Date | undefined;
  /** Its approximate size in memory, in states of the automaton. */
  readonly weight: number;
  readonly #filters: readonly CompiledFilter[];
  readonly #automaton: KeywordAutomaton | undefined;
  readonly #filteredIds: ReadonlySet<StatusId>;
  #matches = new WeakMap<SearchableText, Match>();
  #matchCount = 0;

  constructor(rows: readonly FilterRow[], now: Date) {
    const active = rows.filter(({ expires_at: expiresAt }) => expiresAt === null || expiresAt > now);
    const expiries = active.flatMap(({ expires_at: expiresAt }) => expiresAt?.getTime() ?? []);
    const keywords = active.flatMap((row, filter) =>
      row.keywords.map(({ keyword, whole_word: wholeWord }) => ({ text: foldText(keyword), wholeWord, group: filter })),
    );
    this.expiresAt = expiries.length === 0 ? undefined : new Date(Math.min(...expiries));
    this.#filters = active.map(compileFilter);
    this.#filteredIds = new Set(active.flatMap(({ statuses }) => statuses.map(({ status_id: id }) => id)));
    this.#automaton = keywords.length === 0 ? undefined : new KeywordAutomaton(keywords);
    this.isEmpty = this.#automaton === undefined && this.#filteredIds.size === 0;
    this.weight = 1 + active.length + this.#filteredIds.size + (this.#automaton?.size ?? 0);
  }

  /** Whether a status matches a filter. For statuses that are compared once: remembers nothing of those that do not. */
  matches(status: FilterableStatus, reblogId?: StatusId): boolean {
    return this.#mayMatch(status, reblogId) && this.#find(status, reblogId) !== noMatch;
  }

  /**
   * Returns the filters that a status matches, whatever their contexts, as Mastodon does: clients decide where a filter
   * applies. `reblogId`: the reblog through which the viewer sees the status, which may itself be in a filter.
   */
  match(status: FilterableStatus, reblogId?: StatusId): readonly FilterResult[] {
    return this.#find(status, reblogId).results;
  }

  /** Like `match`, as ASCII JSON. */
  matchJson(status: FilterableStatus, reblogId?: StatusId): string {
    return this.#find(status, reblogId).json;
  }

  #find(status: FilterableStatus, reblogId: StatusId | undefined): Match {
    if (this.isEmpty) return noMatch;
    if (reblogId !== undefined && this.#filteredIds.has(reblogId)) return this.#compare(status, reblogId);
    const known = this.#matches.get(status.searchableText);
    if (known !== undefined) return known;
    const match = this.#compare(status, undefined);
    if (this.#matchCount === maxMatches) {
      this.#matches = new WeakMap();
      this.#matchCount = 0;
    }
    this.#matches.set(status.searchableText, match);
    this.#matchCount += 1;
    return match;
  }

  #mayMatch({ id, searchableText }: FilterableStatus, reblogId: StatusId | undefined): boolean {
    if (this.#filteredIds.has(id) || (reblogId !== undefined && this.#filteredIds.has(reblogId))) return true;
    return this.#automaton?.mayMatch(searchableText.grams) === true;
  }

  #compare(status: FilterableStatus, reblogId: StatusId | undefined): Match {
    if (!this.#mayMatch(status, reblogId)) return noMatch;
    const { id, searchableText } = status;
    const ranges = this.#automaton?.search(searchableText.folded);
    const ids = [id, ...(reblogId === undefined ? [] : [reblogId])].filter((each) => this.#filteredIds.has(each));
    if ((ranges === undefined || ranges.size === 0) && ids.length === 0) return noMatch;
    const results = this.#filters.flatMap(({ result, statusIds }, filter): FilterResult[] => {
      const range = ranges?.get(filter);
      const matchingIds = ids.filter((each) => statusIds.has(each));
      if (range === undefined && matchingIds.length === 0) return [];
      return [
        {
          filter: result,
          keyword_matches: range === undefined ? null : [searchableText.slice(range.start, range.end)],
          status_matches: matchingIds.length === 0 ? null : matchingIds,
        },
      ];
    });
    return { results, json: asciiJson(results) };
  }
}

function compileFilter({
  id,
  title,
  context,
  expires_at: expiresAt,
  filter_action: action,
  statuses,
}: FilterRow): CompiledFilter {
  return {
    result: { id, title, context, expires_at: expiresAt?.toISOString() ?? null, filter_action: action },
    statusIds: new Set(statuses.map(({ status_id: statusId }) => statusId)),
  };
}
