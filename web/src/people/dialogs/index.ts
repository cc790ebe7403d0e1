// Dialogs about people and posts, which are loaded when they are opened.
export {
  openAddToCollections,
  openAddToLists,
  openBlock,
  openDomainBlock,
  openMute,
  openPutIntoFolders,
  openReport,
} from './open-dialogs.tsx';
