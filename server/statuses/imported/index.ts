// Statuses that users import from archives of other servers.
export { deletedIds, importedStatusesDeleted } from './deleted-event.ts';
export { deleteImportedStatuses } from './delete-imported-statuses.ts';
export { findReplyParents } from './find-reply-parents.ts';
export { isRefused, recordRefusedImports, screenImportedStatus, type RefusedImport } from './screen-imported-status.ts';
export { insertImportedStatuses, type ImportedStatus } from './insert-imported-statuses.ts';
