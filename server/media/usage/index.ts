// Measures and moves the stored files, finds attachments without a file, and removes lost previews.
export { findMissingFiles } from './find-missing-files.ts';
export { measureStorage, type StorageUsage } from './measure-storage.ts';
export { moveStoredFiles } from './move-stored-files.ts';
export { removeMissingPreview } from './remove-missing-preview.ts';
