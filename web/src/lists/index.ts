// The choice of the lists that contain an account.
export { AddToListsDialog } from './add-to-lists-dialog.tsx';
