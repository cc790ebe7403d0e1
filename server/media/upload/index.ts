// Uploads, and processing of uploaded images.
export { processEmoji } from './process-emoji.ts';
export { processProfileImage, type ProfileImageKind } from './process-profile-image.ts';
export { processSiteImage } from './process-site-image.ts';
export { uploadMedia } from './upload-media.ts';
