// How much storage media take.
export { measureStorage, type StorageUsage } from './measure-storage.ts';
