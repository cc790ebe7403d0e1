/** Media: attachments of statuses, avatars and headers, the proxy for remote files, and bundled images. */
export { MediaAttachment } from './schema.ts';
export { serveFile, immutableCacheControl, privateImmutableCacheControl } from './serve-file.ts';
export { buildCachedMedia, presentMedia, type CachedAttachment } from './present-media.ts';
export { mediaTypeOf, storeRemoteMedia, type RemoteMedia } from './remote/store-remote-media.ts';
export { processProfileImage, type ProfileImageKeys, type ProfileImageKind } from './upload/process-profile-image.ts';
export { processEmoji } from './upload/process-emoji.ts';
export { deleteAccountMedia } from './delete-account-media.ts';
export { deleteStoredFiles } from './delete-stored-files.ts';
export { claimMedia, releaseReservedMedia, releaseMedia, reserveMedia } from './claim-media.ts';
export { maxImageBytes } from './limits.ts';
export {
  deleteUnusedCovers,
  prepareCovers,
  updateAttachedMedia,
  type AttachedMediaChanges,
  type Covers,
} from './update-attached-media.ts';
export {
  anonymousMediaViewer,
  buildProxyUrl,
  createImageProxy,
  loadMediaViewer,
  mediaViewerOf,
  urlFor,
  verifyGrant,
  type MediaUrl,
  type MediaViewer,
} from './proxy/signed-urls.ts';
export { serveRemoteFile } from './proxy/serve-remote-file.ts';
export { findRemoteAttachment, type RemoteAttachment } from './proxy/remote-attachment.ts';
export { routes } from './routes.ts';
export { cleanUpFolder, type FindReferencedKeys } from './clean-up-storage.ts';
export { schedules, subscriptions } from './subscriptions.ts';
export type { MediaRow, MediaTables, MediaType } from './tables.ts';
