// Removal of remote data that nobody needs or that is gone, or of a whole domain, and the refresh of accounts and media.
export { applyRetention, applyRetentionNow, removeOldFiles, type RetentionResult } from './apply-retention.ts';
export { cullAccounts, cullFilter, type CullResult } from './cull-accounts.ts';
export { listDomainData, purgeDomain, type DomainData } from './purge-domain.ts';
export { refreshAccounts, type AccountRefreshResult } from './refresh-accounts.ts';
export { refreshMedia, type MediaTarget } from './refresh-media.ts';
export { removeOldStatuses, type RemovalOptions, type RemovalResult } from './remove-old-statuses.ts';
export { removeUnusedMedia } from './remove-unused-media.ts';
export { countRemoteAccounts, type RemoteAccountFilter } from './visit-remote-accounts.ts';
