// Attachments of remote posts.
export { isBlurhash } from './blurhash.ts';
export { deleteRemoteMedia } from './delete-remote-media.ts';
export {
  insertRemoteMedia,
  mediaTypeOf,
  prepareRemoteMedia,
  storeRemoteMedia,
  type RemoteMedia,
} from './store-remote-media.ts';
