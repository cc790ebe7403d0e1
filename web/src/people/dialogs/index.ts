// Dialogs about people and posts, which are loaded when they are opened.
export {
  block,
  openAddToCollections,
  openAddToLists,
  openDomainBlock,
  openMute,
  openPutIntoFolders,
  openReport,
} from './open-dialogs.tsx';
