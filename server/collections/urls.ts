import type { App } from '../platform/app.ts';
import type { AccountId, CollectionId, CollectionItemId } from '../platform/ids.ts';

const ownerBaseUri = (app: App, accountId: AccountId): string => `${app.config.baseUrl}/ap/users/${accountId}`;

/** Id of a local collection in the federation. */
export const collectionUri = (app: App, accountId: AccountId, id: CollectionId): string =>
  `${ownerBaseUri(app, accountId)}/collections/${id}`;

/** The page of a local collection. */
export const collectionUrl = (app: App, id: CollectionId): string => `${app.config.baseUrl}/collections/${id}`;

/** Id of a place in a local collection; `accountId` owns the collection. */
export const collectionItemUri = (app: App, accountId: AccountId, id: CollectionItemId): string =>
  `${ownerBaseUri(app, accountId)}/collection_items/${id}`;

/** Id of the request to the server of an account that is to be featured; `actorUri` owns the collection. */
export const featureRequestUri = (actorUri: string, id: CollectionItemId): string =>
  `${actorUri}#feature_requests/${id}`;

/** Id of the stamp by which the local account `accountId` agrees to be featured. */
export const featureAuthorizationUri = (app: App, accountId: AccountId, id: CollectionItemId): string =>
  `${ownerBaseUri(app, accountId)}/feature_authorizations/${id}`;

/** Id of the list of all collections of a local account. */
export const featuredCollectionsUri = (app: App, accountId: AccountId): string =>
  `${ownerBaseUri(app, accountId)}/featured_collections`;
