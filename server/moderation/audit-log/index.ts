// The audit log: who of the staff changed what, and when.
export { listEntries, type EntryFilters } from './list-entries.ts';
export { AuditEntry } from './schema.ts';
export { storeEntries } from './store-entries.ts';
