// Changes of filters by their user.
export { createFilter, deleteFilter, updateFilter } from './edit-filter.ts';
