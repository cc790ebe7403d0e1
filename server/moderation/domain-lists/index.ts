// Lists of domain blocks that others maintain: subscriptions, drafts, exceptions.
export { applyList } from './apply-list.ts';
export { addList, refreshList, removeList, setException, updateList } from './change-lists.ts';
export { listChanges, pageOfLists, presentList } from './find-lists.ts';
