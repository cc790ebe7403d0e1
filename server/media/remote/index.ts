// Attachments of remote posts.
export { mediaTypeOf, storeRemoteMedia, type RemoteMedia } from './store-remote-media.ts';
