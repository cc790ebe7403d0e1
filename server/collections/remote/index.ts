// Remote collections and their items: storing and deleting them.
export { deleteRemoteCollection } from './delete-remote-collection.ts';
export { type RemoteCollection, storeRemoteCollection } from './store-remote-collection.ts';
export { maxRemoteItems, type RemoteCollectionItem, removeRemoteItem, storeRemoteItem } from './store-remote-items.ts';
