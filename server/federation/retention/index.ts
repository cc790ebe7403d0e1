// Removal of remote data that nobody needs or that is gone; accounts and media that are fetched again; merged accounts.
export { applyRetention, applyRetentionNow, removeOldFiles, type RetentionResult } from './apply-retention.ts';
export { cullAccounts, cullFilter, type CullResult } from './cull-accounts.ts';
export { listDomainData, purgeDomain, type DomainData } from './purge-domain.ts';
export { mergeAccounts, type MergeProblem } from './merge-accounts.ts';
export { refreshAccounts, type AccountRefreshResult } from './refresh-accounts.ts';
export { refreshMedia, type MediaTarget } from './refresh-media.ts';
export { removeOldStatuses, type RemovalOptions, type RemovalResult } from './remove-old-statuses.ts';
export { removeUnusedMedia } from './remove-unused-media.ts';
export { countRemoteAccounts, type RemoteAccountFilter } from './visit-remote-accounts.ts';
