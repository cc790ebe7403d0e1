// How much storage media take.
export { measureStorage, storageFolders, type StorageUsage } from './measure-storage.ts';
