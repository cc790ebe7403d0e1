// Collections: named lists of accounts that their owner recommends, with the consent of the members.
import { beforeCommit, on, type Subscription } from '../platform/events/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { accountBlocked, domainBlocked } from '../relationships/index.ts';
import { deleteAccountCollections } from './delete-account-collections.ts';
import { removeItemsOnBlock, removeItemsOnDomainBlock } from './remove-item.ts';

export { addCollectionItem } from './add-item.ts';
export {
  acceptFeatureRequest,
  type FeatureRequest,
  revokeFeatureAuthorization,
  recordFeatureAcceptance,
  recordFeatureRejection,
} from './feature-requests.ts';
export { canFeature } from './featurable-accounts.ts';
export { createCollection, type NewCollection } from './create-collection.ts';
export { deleteCollection } from './delete-collection.ts';
export {
  collectionCreated,
  collectionDeleted,
  collectionsViewed,
  collectionUpdated,
  featureAuthorizationRevoked,
  collectionItemAccepted,
  collectionItemRemoved,
  collectionItemRequested,
} from './events.ts';
export {
  type CollectionRow,
  findCollection,
  findCollectionByUri,
  type CollectionItemRow,
  requireVisibleCollection,
} from './find-collections.ts';
export { listCollections } from './list-collections.ts';
export { presentCollection, presentCollections, presentCollectionWithAccounts } from './present-collections.ts';
export { removeCollectionItem, revokeCollectionItem } from './remove-item.ts';
export { deleteRemoteCollection } from './delete-remote-collection.ts';
export { routes } from './routes.ts';
export { Collection } from './schema.ts';
export { recordItemResult, type ItemResult } from './record-item-result.ts';
export { type RemoteCollection, storeRemoteCollection } from './store-remote-collection.ts';
export { maxRemoteItems, type RemoteCollectionItem, removeRemoteItem, storeRemoteItem } from './store-remote-items.ts';
export { tagCollections, untagCollections } from './tag-collections.ts';
export { featureAuthorizationUri, featuredCollectionsUri, collectionUri, collectionUrl } from './urls.ts';

export const subscriptions: Subscription[] = [
  beforeCommit([accountBlocked], { run: removeItemsOnBlock }),
  beforeCommit([domainBlocked], { run: removeItemsOnDomainBlock }),
  on([accountDeleted], {
    name: 'collection.delete_account_collections',
    queue: 'background',
    run: deleteAccountCollections,
  }),
];
