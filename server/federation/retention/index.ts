// Removal of remote data that nobody needs, or of a whole domain.
export { removeOldStatuses, type RemovalOptions, type RemovalResult } from './remove-old-statuses.ts';
