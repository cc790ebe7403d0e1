import type { App } from '../platform/app.ts';
import type { AccountId, CollectionId, CollectionItemId } from '../platform/ids.ts';

const ownerBaseUri = (app: App, accountId: AccountId): string => `${app.config.baseUrl}/ap/users/${accountId}`;

/** Returns the ActivityPub id of a local collection. */
export const collectionUri = (app: App, accountId: AccountId, id: CollectionId): string =>
  `${ownerBaseUri(app, accountId)}/collections/${id}`;

/** Returns the address of the web page of a local collection. */
export const collectionUrl = (app: App, id: CollectionId): string => `${app.config.baseUrl}/collections/${id}`;

/** Returns the URI of an item in a local collection. `accountId` owns the collection. */
export const collectionItemUri = (app: App, accountId: AccountId, id: CollectionItemId): string =>
  `${ownerBaseUri(app, accountId)}/collection_items/${id}`;

/** Returns the URI of the request to feature a remote account. `actorUri` owns the collection. */
export const featureRequestUri = (actorUri: string, id: CollectionItemId): string =>
  `${actorUri}#feature_requests/${id}`;

/** Returns the URI of the authorization by which the local account `accountId` agrees to be featured. */
export const featureAuthorizationUri = (app: App, accountId: AccountId, id: CollectionItemId): string =>
  `${ownerBaseUri(app, accountId)}/feature_authorizations/${id}`;

/** Returns the URI of the list of all collections of a local account. */
export const featuredCollectionsUri = (app: App, accountId: AccountId): string =>
  `${ownerBaseUri(app, accountId)}/featured_collections`;
