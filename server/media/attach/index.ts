// Attaching uploaded files to posts, and changing attached ones.
export { claimMedia, claimMediaForAll, releaseReservedMedia, releaseMedia, reserveMedia } from './claim-media.ts';
export {
  deleteUnusedCovers,
  prepareCovers,
  updateAttachedMedia,
  type AttachedMediaChanges,
  type Covers,
} from './update-attached-media.ts';
