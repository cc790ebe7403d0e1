// Finding, listing and presenting collections.
export {
  type CollectionRow,
  findCollection,
  findCollectionByUri,
  type CollectionItemRow,
  requireVisibleCollection,
} from './find-collections.ts';
export { listCollections } from './list-collections.ts';
export { presentCollections, presentCollectionWithAccounts } from './present-collections.ts';
