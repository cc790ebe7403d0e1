// Filters: what a user does not want to read, and which statuses match it.
import type { Subscription } from '../platform/write/subscriptions.ts';
import { deleteAccountFilters } from './delete-account-filters.ts';

export { filtersChanged } from './events.ts';
export type { FilterMatcher } from './filter-matcher.ts';
export { addFilterStatus } from './filter-statuses.ts';
export { listFilters } from './find-filters.ts';
export { assertImportable, importFilters, type ImportMode } from './import-filters.ts';
export { loadFilterMatcher, loadFilterMatchers } from './load-filter-matcher.ts';
export { routes } from './routes.ts';
export {
  ExportedFilter,
  type Filter,
  FilterAction,
  FilterContext,
  filterContexts,
  FilterExport,
  FilterResult,
  FilterStatus,
} from './schema.ts';
export { SearchableText } from './searchable-text.ts';
export { caches } from './caches.ts';

export const subscriptions: readonly Subscription[] = [deleteAccountFilters];
