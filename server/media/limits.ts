/** Bytes of an image, or of a thumbnail (reference/limits.tsv, as everything here). */
export const maxImageBytes = 16_777_216;
/** Bytes of a video or sound. */
export const maxVideoBytes = 103_809_024;
/** Pixels of an image as it is sent. */
export const maxPixels = 33_177_600;
/** Pixels of an AVIF or HEIC image: their decoders hold all of them at once, at some 16 bytes each. */
export const maxHeifPixels = 16_777_216;
/** Pixels of one frame of a moving GIF. */
export const maxGifPixels = 921_600;
/** Pixels of one frame of a video. */
export const maxVideoPixels = 8_294_400;
/** Frames a second. */
export const maxFrameRate = 120;
export const maxVideoFrames = 36_000;
/** Seconds of a video or sound: more than four hours do not fit into the largest file at a bearable quality. */
export const maxDurationSeconds = 4 * 3600;
/** Area of an image as it is kept. */
export const maxOriginalPixels = 8_294_400;
/** Area of a preview. */
export const maxSmallPixels = 230_400;
/** Files of one status. */
export const maxAttachments = 4;
