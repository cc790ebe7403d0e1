// Lists and presentation of statuses.
export type { CachedStatus } from './cached-status.ts';
export { filterVisibleStatuses, requireVisibleOriginal, requireVisibleStatus } from './filter-visible-statuses.ts';
export { listAccountStatuses, listPinnedStatuses } from './list-account-statuses.ts';
export { loadContext } from './load-context.ts';
export { presentStatusesById, presentStatus, presentStatuses } from './present-statuses.ts';
export { loadCachedStatuses } from './status-cache.ts';
export { selectStatuses } from './status-rows.ts';
