// The audit log: who of the staff changed what, and when.
export { listEntries, type EntryFilters } from './list-entries.ts';
export { storeEntries } from './store-entries.ts';
