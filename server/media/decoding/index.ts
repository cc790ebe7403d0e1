// Decoding of files, in processes of their own.
export { withWorkFolder } from './work-folder.ts';
export { findTranscoder } from './find-transcoder.ts';
