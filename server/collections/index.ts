// Collections: named lists of accounts that their owner recommends, with the consent of the members.
import { inTransaction, later } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { accountBlocked, domainBlocked } from '../relationships/index.ts';
import { deleteAccountCollections } from './delete-account-collections.ts';
import { removeItemsOnBlock, removeItemsOnDomainBlock } from './remove-item.ts';

export { createCollection } from './create-collection.ts';
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
export { routes } from './routes.ts';
export { Collection } from './schema.ts';
export { tagCollections, untagCollections } from './tag-collections.ts';
export { featureAuthorizationUri, featuredCollectionsUri, collectionUri, collectionUrl } from './urls.ts';
export { caches } from './caches.ts';

export const subscriptions: Subscription[] = [
  inTransaction([accountBlocked], { run: removeItemsOnBlock }),
  inTransaction([domainBlocked], { run: removeItemsOnDomainBlock }),
  later('background', [accountDeleted], {
    name: 'collection.delete_account_collections',
    run: deleteAccountCollections,
  }),
];
