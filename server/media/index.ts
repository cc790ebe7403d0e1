/** Media: attachments of statuses, avatars and headers, the proxy for remote files, and bundled images. */
export { MediaAttachment } from './schema.ts';
export { bundledImage } from './bundled-images.ts';
export { serveFile, immutableCaching, privateImmutableCaching } from './serve-file.ts';
export { buildCachedMedia, presentMedia, type CachedAttachment } from './present-media.ts';
export { findAttachedStatus, findMediaByShortcode } from './find-attached-status.ts';
export { loadMediaFiles, type MediaFile } from './load-media-files.ts';
export { deleteAccountMedia } from './delete-account-media.ts';
export { deleteMedia } from './delete-media.ts';
export { deleteStoredFiles } from './delete-stored-files.ts';
export { maxAttachments, maxImageBytes, maxVideoBytes } from './limits.ts';
export { routes } from './routes.ts';
export { cleanUpFolder } from './clean-up-storage.ts';
export { schedules, subscriptions } from './subscriptions.ts';
export type { MediaTables } from './tables.ts';
export { caches } from './caches.ts';
