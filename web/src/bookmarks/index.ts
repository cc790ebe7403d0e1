// The choice of the folders that contain a bookmark.
export { PutIntoFoldersDialog } from './put-into-folders-dialog.tsx';
