import type { MatchedFilter, Status } from '../api/entities.ts';

/** Where posts are shown, in the words of filters. Undefined: where the reader looks for a post, so that no filter applies. */
export type FilterContext = MatchedFilter['context'][number] | undefined;

/** Returns the filters of the reader that a post matches in a context. */
export function findFilters(status: Pick<Status, 'filtered' | 'reblog'>, context: FilterContext): MatchedFilter[] {
  if (context === undefined) return [];
  const results = [...(status.filtered ?? []), ...(status.reblog?.filtered ?? [])];
  const filters = results.map(({ filter }) => filter).filter((filter) => filter.context.includes(context));
  return [...new Map(filters.map((filter) => [filter.id, filter])).values()];
}

/** Whether a filter hides the post completely. */
export const isHidden = (filters: readonly MatchedFilter[]): boolean =>
  filters.some(({ filter_action: action }) => action === 'hide');
