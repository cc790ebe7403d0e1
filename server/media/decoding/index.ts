// Decoding of files, in processes of their own.
export { withWorkFolder } from './work-folder.ts';
