/** Bytes of an image, or of a thumbnail (reference/limits.tsv, as all limits here). */
export const maxImageBytes = 16_777_216;
/** Bytes of a video or audio file. */
export const maxVideoBytes = 103_809_024;
/** Pixels of an uploaded image. */
export const maxPixels = 33_177_600;
/** Pixels of an AVIF or HEIC image: their decoders hold all pixels at once, at about 16 bytes each. */
export const maxHeifPixels = 16_777_216;
/** Pixels of one frame of an animated GIF. */
export const maxGifPixels = 921_600;
/** Pixels of one frame of a video. */
export const maxVideoPixels = 8_294_400;
/** Frames per second. */
export const maxFrameRate = 120;
export const maxVideoFrames = 36_000;
/** Seconds of a video or audio file: more than four hours do not fit into the largest file in acceptable quality. */
export const maxDurationSeconds = 4 * 3600;
/** Area of a stored image. */
export const maxOriginalPixels = 8_294_400;
/** Pixels of a preview. */
export const maxSmallPixels = 230_400;
/** Files of one status. */
export const maxAttachments = 4;
