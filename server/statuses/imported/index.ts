// Statuses that users import from archives of other servers.
export { findReplyParents } from './find-reply-parents.ts';
export { insertImportedStatuses, type ImportedStatus } from './insert-imported-statuses.ts';
