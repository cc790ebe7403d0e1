// Remote statuses, reblogs, pins and quotes: storing and finding them.
export { findStatusByUri } from './find-status.ts';
export { threadRefreshKey } from './queue-thread-refresh.ts';
export { publishBackfilled } from './publish-backfilled.ts';
export { storeOriginCounts, type CountedStatus } from './store-origin-counts.ts';
export { deleteRemoteHistory } from './delete-history.ts';
export { purgeRemoteStatuses } from './purge-statuses.ts';
export { linkRemoteQuote } from './remote-quotes.ts';
export { addRemotePin, removeRemotePin, storeRemotePins } from './store-remote-pins.ts';
export { statusBackfilled } from './status-backfilled.ts';
export { storeRemoteReblog, type RemoteReblog } from './store-remote-reblog.ts';
export { storeRemoteStatus } from './store-remote-status.ts';
export type { OriginCounts, RemoteArticle, RemoteStatus } from './remote-status.ts';
export { updateRemoteStatus } from './update-remote-status.ts';
