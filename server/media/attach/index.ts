// Attaching uploaded files to posts, and changing attached ones.
export {
  claimMedia,
  claimMediaForAll,
  MediaClaimError,
  releaseReservedMedia,
  releaseMedia,
  reserveMedia,
} from './claim-media.ts';
export { countDraftMedia, holdDraftMedia, releaseDraftMedia } from './hold-media.ts';
export {
  deleteUnusedCovers,
  prepareCovers,
  updateAttachedMedia,
  type AttachedMediaChanges,
  type Covers,
} from './update-attached-media.ts';
