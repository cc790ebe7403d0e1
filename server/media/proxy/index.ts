// Addresses of files for a viewer, and the proxy for remote files.
export { findRemoteAttachment, type RemoteAttachment } from './remote-attachment.ts';
export { estimateUnusedFiles, measureCachedFiles, removeCachedFiles, type CachedFiles } from './cached-files.ts';
export { fetchFilesAgain, type RefreshResult } from './fetch-files-again.ts';
export { deleteCachedFiles, downloadRemoteFile } from './fetch-remote-file.ts';
export { serveRemoteFile } from './serve-remote-file.ts';
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
} from './signed-urls.ts';
