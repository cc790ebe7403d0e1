// Collections of accounts in lists, and the choice of those that contain an account.
export { AddToCollectionsDialog } from './add-to-collections-dialog.tsx';
export { CollectionList } from './collection-list.tsx';
export { CollectionRow } from './collection-row.tsx';
