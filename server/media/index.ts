/** Files that people see and hear: attachments of statuses, avatars and headers, and the pictures the server comes with. */
export { MediaAttachment } from './schema.ts';
export { presentMedia } from './present-media.ts';
export { mediaTypeOf, storeRemoteMedia, type RemoteMedia } from './store-remote-media.ts';
