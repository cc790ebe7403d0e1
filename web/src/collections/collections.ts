import { request } from '../api/client.ts';
import type {
  Account,
  Collection,
  CollectionItem,
  Collections,
  WrappedCollection,
  WrappedCollectionItem,
} from '../api/entities.ts';
import { me } from '../session/session.ts';

/** Loads the reader's collections. */
export async function loadOwnCollections(): Promise<readonly Collection[]> {
  const path = `/api/v1/accounts/${me.peek().id}/collections`;
  return (await request<Collections>('GET', path, { query: { limit: 100 } })).collections;
}

/** What the owner of a collection chooses. */
export interface CollectionInput {
  readonly name: string;
  readonly description: string;
  readonly language?: string;
  readonly tag_name: string;
  readonly sensitive: boolean;
  readonly discoverable: boolean;
}

/** Returns the address of a collection in the API. */
export const pathOf = ({ id }: Pick<Collection, 'id'>): string => `/api/v1/collections/${id}`;

/** Creates a collection, or changes the one with the id. Rejects if the server refuses. */
export async function saveCollection(input: CollectionInput, id?: string): Promise<Collection> {
  const { collection } = await (id === undefined
    ? request<WrappedCollection>('POST', '/api/v1/collections', { body: input })
    : request<WrappedCollection>('PATCH', pathOf({ id }), { body: input }));
  return collection;
}

/** Adds an account to a collection, or asks for its consent. */
export async function addToCollection(id: string, account: Pick<Account, 'id'>): Promise<CollectionItem> {
  const body = { account_id: account.id };
  return (await request<WrappedCollectionItem>('POST', `/api/v1/collections/${id}/items`, { body })).collection_item;
}

/** Returns the address of an item of a collection in the API. */
export const itemPath = (id: string, itemId: string): string => `${pathOf({ id })}/items/${itemId}`;

/** Removes an item from the reader's collection. */
export const removeFromCollection = (id: string, itemId: string): Promise<void> =>
  request('DELETE', itemPath(id, itemId));

/** Takes the signed-in account permanently out of a collection of another account. */
export const revokeItem = (id: string, itemId: string): Promise<void> =>
  request('POST', `/api/v1/collections/${id}/items/${itemId}/revoke`);

/** Returns the item of an account in a collection, if it is there or was asked. */
export const itemOf = ({ items }: Collection, accountId: string): CollectionItem | undefined =>
  items.find((item) => item.account_id === accountId && (item.state === 'accepted' || item.state === 'pending'));
