// Removal of remote data that nobody needs, or of a whole domain, and the media of remote servers.
export { listDomainData, purgeDomain, type DomainData } from './purge-domain.ts';
export { refreshMedia, type MediaTarget } from './refresh-media.ts';
export { removeOldStatuses, type RemovalOptions, type RemovalResult } from './remove-old-statuses.ts';
export { removeUnusedMedia } from './remove-unused-media.ts';
