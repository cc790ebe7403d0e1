// Dialogs about people, which are loaded when they are opened.
export {
  openAddToCollections,
  openAddToLists,
  openBlock,
  openDomainBlock,
  openMute,
  openReport,
} from './open-dialogs.tsx';
