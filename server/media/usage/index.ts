// What the storage holds: how much media take, and which files are missing.
export { findMissingFiles } from './find-missing-files.ts';
export { measureStorage, type StorageUsage } from './measure-storage.ts';
