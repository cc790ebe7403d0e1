// Measures the size of the stored files, and finds attachments without a file.
export { findMissingFiles, findMissingPreview, type MissingPreview } from './find-missing-files.ts';
export { measureStorage, type StorageUsage } from './measure-storage.ts';
