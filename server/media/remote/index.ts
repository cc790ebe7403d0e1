// Attachments of remote posts.
export { isBlurhash } from './blurhash.ts';
export { deleteRemoteMedia } from './delete-remote-media.ts';
export {
  insertRemoteMedia,
  mediaTypeOf,
  prepareRemoteMedia,
  type PreparedRemoteMedia,
  type RemoteMedia,
} from './store-remote-media.ts';
