// Collections: accounts that somebody recommends, put together under a name, with their consent.
import { beforeCommit, on, type Subscription } from '../platform/events/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { accountBlocked, domainBlocked } from '../relationships/index.ts';
import { forgetAccount } from './forget-account.ts';
import { partAfterBlock, partFromDomain } from './remove-item.ts';

export { addItem } from './add-item.ts';
export { acceptRequest, type FeatureRequest, loseStamp, takeConsent, takeRefusal } from './answer-request.ts';
export { mayFeature } from './consent.ts';
export { createCollection, type NewCollection } from './create-collection.ts';
export { deleteCollection } from './delete-collection.ts';
export {
  collectionCreated,
  collectionDeleted,
  collectionsViewed,
  collectionUpdated,
  consentRevoked,
  itemAccepted,
  itemRemoved,
  itemRequested,
} from './events.ts';
export {
  type CollectionRow,
  findCollection,
  findCollectionByUri,
  type ItemRow,
  requireVisibleCollection,
} from './find-collections.ts';
export { listCollections } from './list-collections.ts';
export { presentCollection, presentCollections, presentWithAccounts } from './present-collections.ts';
export { removeItem, revokeItem } from './remove-item.ts';
export { removeRemoteCollection } from './remove-remote.ts';
export { routes } from './routes.ts';
export { Collection } from './schema.ts';
export { settleItem, type Verdict } from './settle-item.ts';
export { type RemoteCollection, type RemoteItem, storeRemoteCollection } from './store-remote-collection.ts';
export { mostRemoteItems, removeRemoteItem, storeRemoteItem } from './store-remote-items.ts';
export { tagCollections, untagCollections } from './tag-collections.ts';
export { approvalUri, collectionsUri, collectionUri, collectionUrl } from './urls.ts';

export const subscriptions: Subscription[] = [
  beforeCommit([accountBlocked], { run: partAfterBlock }),
  beforeCommit([domainBlocked], { run: partFromDomain }),
  on([accountDeleted], { name: 'collections-account-deleted', queue: 'background', run: forgetAccount }),
];
