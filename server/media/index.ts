/** Files that people see and hear: attachments of statuses, avatars and headers, and the pictures the server comes with. */
export { MediaAttachment } from './schema.ts';
export { answerFile, forGood, privatelyForGood } from './answer-file.ts';
export { presentMedia } from './present-media.ts';
export { mediaTypeOf, storeRemoteMedia, type RemoteMedia } from './store-remote-media.ts';
export { processProfileImage, type ProfileImageKeys, type ProfileImageKind } from './process-profile-image.ts';
export { processEmoji } from './process-emoji.ts';
export { removeMediaOf } from './remove-media-of.ts';
export { removeStored } from './remove-stored.ts';
export { claimMedia, freeReservedMedia, releaseMedia, reserveMedia } from './claim-media.ts';
export { largestImage } from './limits.ts';
export { discardCovers, prepareCovers, updateAttached, type AttachedChanges, type Covers } from './update-attached.ts';
export { grantViewer, pictureProxy, proxiedUrl, readGrant, withoutFetching } from './proxy/addresses.ts';
export { answerRemote } from './proxy/answer-remote.ts';
export { findRemoteAttachment, type RemoteAttachment } from './proxy/remote-attachment.ts';
export { routes } from './routes.ts';
export { sweepFolder, type NamedKeys } from './sweep-storage.ts';
export { schedules, subscriptions } from './stored-work.ts';
export type { MediaRow, MediaTables, MediaType } from './tables.ts';
